import type { Method, RouteOptions } from '@gantry/plugin-api';
import { z } from 'zod';
import { compileRouteSchemas } from '../../../src/plugins/registration/route-schemas';

function problemsOf(options: unknown, method: Method = 'POST', path = '/orders/:orderId{/:part}'): readonly string[] {
  return compileRouteSchemas(method, path, options as RouteOptions).problems;
}

describe('the schemas of a route', () => {
  it.each([
    [undefined, []],
    [{ schemas: { params: z.object({ orderId: z.string(), part: z.string().optional() }) } }, []],
    [{ schemas: { header: z.object({}) } }, ['schemas.header is not one of params, query, body']],
    [
      { schemas: { body: { reason: 'text' } } },
      ['schemas.body does not implement Standard Schema and Standard JSON Schema, as the schemas of zod 4.2 do'],
    ],
    [{ schemas: { query: z.string() } }, ['schemas.query does not describe an object']],
    [
      { schemas: { params: z.object({ order: z.string() }) } },
      ['schemas.params names order, which the path does not have'],
    ],
    [
      { schemas: { query: z.object({}) }, query: ['level'] },
      ['schemas.query makes the option query superfluous: remove it'],
    ],
    [{ schemas: { body: z.object({}) }, body: 'none' }, ['schemas.body is given, but the route reads no JSON body']],
    [
      { schemas: { body: z.object({ at: z.date() }) } },
      [expect.stringContaining('schemas.body Date cannot be represented in JSON Schema')],
    ],
  ])('%j have the problems %j', (options, problems) => {
    expect(problemsOf(options ?? {})).toEqual(problems);
  });

  it('are no body of a request that has none', () => {
    expect(problemsOf({ schemas: { body: z.object({}) } }, 'GET')).toEqual([
      'schemas.body is given, but the route reads no JSON body',
    ]);
  });

  it('say what a client sends, not what the handler gets, and whether the part may be missing', () => {
    const body = z.strictObject({ limit: z.string().transform(Number).default(5) }).prefault({});

    const { schemas } = compileRouteSchemas('POST', '/orders', { schemas: { body } });

    expect(schemas.body).toMatchObject({
      isOptional: true,
      json: {
        type: 'object',
        required: [],
        additionalProperties: false,
        properties: { limit: { type: 'string' } },
      },
    });
  });
});
