import { z } from 'zod';
import { routesWith } from '../../src/exchange/host-routes';
import { callsOfModule } from '../../src/serve/module-calls';

describe('the contributions of a module', () => {
  const note = z.object({ id: z.string() });
  const shared = { method: 'GET', path: '/api/platform/notes', summary: 'Notes', access: 'signed-in' } as const;
  const routes = [
    routesWith()({
      ...{ ...shared, operationId: 'listNotes', answer: z.array(note) },
      handler: async () => ({ data: [] }),
    }),
  ];
  const card = { name: 'newest', title: 'Newest', route: 'listNotes', text: 'id' };

  it('are made of its routes', () => {
    const { homeCards } = callsOfModule({ id: 'gantry.notes', routes, contributes: { homeCards: [card] } });

    const text = { name: 'id', title: 'Id', kind: 'text' };
    expect(homeCards).toEqual([
      {
        access: 'signed-in',
        card: {
          plugin: 'gantry.notes',
          pluginName: 'gantry.notes',
          name: 'newest',
          title: 'Newest',
          path: shared.path,
          text,
        },
      },
    ]);
  });

  it('are refused at the start where they do not fit a route', () => {
    const contributes = { homeCards: [{ ...card, text: 'title' }] };
    expect(() => callsOfModule({ id: 'gantry.notes', routes, contributes })).toThrow(
      'gantry.notes: The home card "newest" calls the route "listNotes", which answers no text, number, boolean or time "title"',
    );
  });
});
