import type { RouteContributions } from '@gantry/contracts';
import { route, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { checkUiSlots } from '../../src/registration/check-ui-slots';
import { createCollectingRouter } from '../../src/registration/plugin-router';
import { routeCallsOf } from '../../src/registration/route-calls/route-calls';

const row = z.object({ id: z.string(), writtenAt: z.iso.datetime(), tags: z.array(z.string()) });
const shared = { access: 'signed-in', handler: async () => ({ data: [] as never }) } as const;
const routes = [
  route({ ...shared, method: 'GET', path: '/notes', operationId: 'listNotes', summary: 'Notes', answer: z.array(row) }),
  route({ ...shared, method: 'GET', path: '/notes/count', operationId: 'countNotes', summary: 'Number', answer: row }),
  route({ ...shared, method: 'GET', path: '/notes/:id', operationId: 'readNote', summary: 'A note', answer: row }),
  route({ ...shared, method: 'POST', path: '/notes/:author', operationId: 'removeOf', summary: 'Remove', answer: row }),
] as readonly Route[];

describe('home cards and pages of a plugin', () => {
  const calls = (contributes: RouteContributions) => {
    const collected = createCollectingRouter('notes');
    collected.router.add(...routes);
    expect(collected.problems).toEqual([]);
    const commands = [{ name: 'remove', route: 'removeOf' }];
    return routeCallsOf({ id: 'notes', displayName: 'Notes' }, { commands, ...contributes }, collected.routes);
  };

  it('show members of rows by their kinds', () => {
    const card = {
      name: 'newest',
      title: 'Newest',
      route: 'listNotes',
      text: 'id',
      value: 'writtenAt',
      link: '/x/{id}',
    };
    const page = { name: 'all', title: 'Notes', route: 'GET /notes' };

    const { problems, homeCards, tablePages } = calls({ homeCards: [card], tablePages: [page] });

    expect(problems).toEqual([]);
    const members = [
      { name: 'id', title: 'Id', kind: 'text' },
      { name: 'writtenAt', title: 'Written at', kind: 'instant' },
    ];
    const view = { plugin: 'notes', pluginName: 'Notes', path: '/notes' };
    expect(homeCards.map((one) => one.card)).toEqual([
      { ...view, name: 'newest', title: 'Newest', text: members[0], value: members[1], link: '/x/{id}' },
    ]);
    expect(tablePages.map((one) => one.page)).toEqual([
      { ...view, name: 'all', title: 'Notes', icon: 'plug', columns: members, actions: [] },
    ]);
  });

  it.each([
    [{ route: 'listAll' }, 'calls the route "listAll", which the code does not register; the plugin has listNotes, '],
    [{ route: 'readNote' }, 'calls the route "readNote", which is no GET that needs no parameters'],
    [{ route: 'countNotes' }, 'calls the route "countNotes", which does not answer a list of objects'],
    [{ text: 'name', link: '/x/{tags}' }, 'which answers no text, number, boolean or time "name", "tags"'],
  ])('are refused with %j', (members, reason) => {
    const card = { name: 'newest', title: 'Newest', route: 'listNotes', text: 'id', ...members };

    const { problems } = calls({ homeCards: [card] });

    const expected = expect.stringContaining(reason) as string;
    expect(problems).toMatchObject([{ code: 'CONTRIBUTION_INVALID', phase: 'register', reason: expected }]);
  });

  it.each([
    [{ actions: ['publish'] }, 'which has no command "publish"'],
    [{ actions: ['remove'] }, 'which answers no text, number, boolean or time "author"'],
    [{ columns: ['tags'] }, 'which answers no text, number, boolean or time "tags"'],
  ])('are refused with %j in a page', (members, reason) => {
    const { problems } = calls({ tablePages: [{ name: 'all', title: 'Notes', route: 'listNotes', ...members }] });

    expect(problems).toMatchObject([
      { code: 'CONTRIBUTION_INVALID', reason: expect.stringContaining(reason) as string },
    ]);
  });

  it('have no name of a page with code', () => {
    const page = { path: 'all', title: 'Notes', icon: 'plug' };
    const ui = { apiVersion: 1, entry: './ui/index.js', pages: [page], fields: [], cells: [], itemActions: [] };
    const tablePages = [{ name: 'all', title: 'Notes', route: 'listNotes' }];
    const manifest = { ui, contributes: { itemTypes: [], taskQueues: [], routes: [], tablePages } };

    const problems = checkUiSlots(manifest, { id: 'notes' });

    expect(problems).toMatchObject([{ reason: expect.stringContaining('the page "all"') as string }]);
  });
});
