import { route, type Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { createOpenApiDocument } from '@gantry/core-http';
import { createCollectingRouter } from '../../src/registration/plugin-router';

const machine = z.object({ id: z.string(), parent: z.string().nullable() }).meta({ id: 'Machine' });

const found = {
  method: 'GET',
  path: '/machines/:id',
  operationId: 'findMachine',
  summary: 'A machine',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  answer: machine,
} as const;
const findMachine = route({ ...found, handler: async ({ params: { id } }) => ({ data: { id, parent: null } }) });

function problemsOf(...routes: readonly object[]): readonly string[] {
  const collecting = createCollectingRouter('workshop');
  collecting.router.add(...(routes as readonly Route[]));
  return collecting.problems;
}

describe('a route that a plugin adds', () => {
  it('has its schemas and its contract ready', () => {
    const { router, routes, problems } = createCollectingRouter('workshop');

    router.add(findMachine);

    expect(problems).toEqual([]);
    expect(routes).toMatchObject([
      {
        ...{ plugin: 'workshop', method: 'GET', path: '/machines/:id' },
        options: { access: 'signed-in', body: 'none' },
        contract: { operationId: 'findMachine', status: 200 },
      },
    ]);
  });

  it.each<[string, object, string]>([
    ['no operationId', { operationId: undefined }, 'the operationId must begin with a letter'],
    ['an error without an entry in the table', { errors: ['TEAPOT'] }, 'errors must be codes of docs/errors.md'],
    ['an operationId with a space', { operationId: 'find it' }, 'the operationId must begin with a letter'],
    ['no access', { access: undefined }, "access must be 'public', 'items', 'signed-in' or { permission"],
    ['public access without limits', { access: 'public' }, 'a public route must have limits'],
    ['limits that are none', { limits: { share: 0, rate: false } }, 'limits must be { share, rate'],
    ['a rate that is none', { limits: { share: 1, rate: { requests: 1 } } }, 'limits must be { share, rate'],
    ['an access that there is not', { access: 'everyone' }, "access is neither 'signed-in' nor"],
    ['an action of another plugin', { audit: 'user-deleted' }, 'the action audit must begin with workshop-'],
    ['an answer without a schema', { answer: { id: 'text' } }, 'the schema of the answer does not implement'],
    ['parameters that the path does not have', { params: z.object({ code: z.string() }) }, 'names code'],
    ['a body where none is read', { body: z.object({}) }, 'the route reads no JSON body'],
    ['a description that is none', { description: '' }, 'the description is not a text'],
    ['tags that are no list', { tags: 'history' }, 'tags is not a list of names'],
    ['a day that is none', { deprecated: true }, 'deprecated must be a day such as 2026-12-01'],
    ['a day that the calendar does not have', { deprecated: '2026-13-01' }, 'deprecated must be a day'],
    ['examples without names', { examples: [] }, 'examples must be objects by name'],
    ['an example that is none', { examples: { one: 'id' } }, 'the example "one" is not an object'],
    ['an example of nothing', { examples: { one: { query: {} } } }, 'the example "one" has the unknown member query'],
    [
      'an example of a body without one',
      { examples: { one: { body: 1 } } },
      'has the member body, and the route has none',
    ],
    [
      'an example that is no answer',
      { examples: { one: { answer: { id: 5, parent: null } } } },
      'the answer of the example "one" does not conform: id: ',
    ],
  ])('is refused with %s', (_what, change, problem) => {
    expect(problemsOf({ ...findMachine, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  it('is refused with public access and a body without a limit', () => {
    const limits = { share: 4, rate: { requests: 10, seconds: 60 } };
    const open = { ...findMachine, path: '/machines', params: undefined, access: 'public', limits };
    const order = { ...open, method: 'POST', operationId: 'orderMachine' };

    expect(problemsOf(open, { ...order, bodyLimit: 1_000 })).toEqual([]);
    expect(problemsOf(order)).toEqual([expect.stringContaining('a public route must have a bodyLimit')]);
    expect(problemsOf({ ...order, bodyLimit: 0.5 })).toEqual([
      expect.stringContaining('the bodyLimit is not a number'),
    ]);
  });

  it('has a separate operationId', () => {
    const other = { ...findMachine, path: '/machines/by-id/:id' };

    expect(problemsOf(findMachine, other)).toEqual([expect.stringContaining('another route has the operationId')]);
  });

  it('is described in OpenAPI, with the names of its schemas below that of the plugin', () => {
    const { router, routes } = createCollectingRouter('workshop');
    const moveMachine = route({
      ...{ method: 'POST', path: '/machines/:id/moves', operationId: 'moveMachine', summary: 'Move it' },
      ...{ access: 'signed-in', presence: true, params: found.params },
      body: z.strictObject({ to: z.string() }),
      handler: async () => ({}),
    });
    router.add(findMachine, moveMachine);

    const { paths, components } = createOpenApiDocument({ types: [], routes, version: '1', bodyLimit: 1 });

    const get = paths['/machines/{id}']?.get;
    expect(get).toMatchObject({
      operationId: 'workshop.findMachine',
      tags: ['plugin workshop'],
      parameters: [{ name: 'id', in: 'path', required: true }],
    });
    expect(JSON.stringify(get?.responses['200'])).toContain('"data":{"$ref":"#/components/schemas/workshop.Machine"}');
    expect(components.schemas['workshop.Machine']).toMatchObject({ required: ['id', 'parent'] });
    const post = paths['/machines/{id}/moves']?.post;
    expect(post?.description).toContain('proof of presence');
    expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['204', '404', '405', '413', '415']));
  });

  it('is described with its tags, its examples, and since when it is deprecated', () => {
    const { router, routes, problems } = createCollectingRouter('workshop');
    const summary = 'The only one';
    router.add(
      route({
        ...{ method: 'POST', path: '/machines', operationId: 'buildMachine', summary: 'Build it', access: 'signed-in' },
        ...{ tags: ['history', 'building'], deprecated: '2026-12-01', description: 'Use buildMachines.' },
        examples: {
          lathe: { summary, body: { to: 'hall' }, answer: { id: '1', parent: null } },
          plain: { body: { to: 'a' } },
        },
        body: z.strictObject({ to: z.string() }),
        answer: machine,
        handler: async () => ({ data: { id: '1', parent: null } }),
      }),
    );

    expect(problems).toEqual([]);
    const document = createOpenApiDocument({ types: [], routes, version: '1', bodyLimit: 1 });
    const post = document.paths['/machines']?.post;
    expect(post).toMatchObject({ tags: ['plugin workshop', 'history', 'building'], deprecated: true });
    expect(document.tags.map(({ name }) => name)).toEqual(['platform', 'history', 'plugin workshop', 'building']);
    expect(post?.requestBody).toMatchObject({
      content: {
        'application/json': { examples: { lathe: { summary, value: { to: 'hall' } }, plain: { value: { to: 'a' } } } },
      },
    });
    expect(post?.responses['200']).toMatchObject({
      headers: { Deprecation: { schema: { type: 'string' } } },
      content: { 'application/json': { examples: { lathe: { summary, value: { data: { id: '1', parent: null } } } } } },
    });
  });

  it('may not give another schema the name of one before it', () => {
    const { router, problems } = createCollectingRouter('workshop');
    const other = route({
      ...found,
      ...{ operationId: 'otherMachine', path: '/others/:id' },
      answer: z.object({ code: z.string() }).meta({ id: 'Machine' }),
      handler: async () => ({ data: { code: 'a' } }),
    });
    router.add(findMachine, other);

    expect(problems).toEqual(['GET /others/:id: another route has another schema of the name workshop.Machine']);
  });
});
