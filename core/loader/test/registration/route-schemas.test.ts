import type { Method, RouteOptions } from '@gantry/plugin-api';
import { z } from 'zod';
import { compileRouteSchemas } from '../../src/registration/route-schemas';

function problemsOf(options: unknown, method: Method = 'POST', path = '/orders/:orderId{/:part}'): readonly string[] {
  return compileRouteSchemas(method, path, options as RouteOptions).problems;
}

describe('the schemas of a route', () => {
  it.each([
    [undefined, []],
    [{ schemas: { params: z.object({ orderId: z.string(), part: z.string().optional() }) } }, []],
    [{ schemas: { header: z.object({}) } }, [/^schemas\.header .* params, query, body$/]],
    [{ schemas: { body: { reason: 'text' } } }, [/^schemas\.body .* Standard JSON Schema/]],
    [{ schemas: { query: z.string() } }, [/^schemas\.query .* object$/]],
    [{ schemas: { params: z.object({ order: z.string() }) } }, [/^schemas\.params .* order, .* path /]],
    [{ schemas: { query: z.object({}) }, query: ['level'] }, [/^schemas\.query .* option query /]],
    [{ schemas: { body: z.object({}) }, body: 'none' }, [/^schemas\.body .* no JSON body$/]],
    [{ schemas: { body: z.object({ at: z.date() }) } }, [/^schemas\.body Date /]],
  ])('%j have the problems %p', (options, problems) => {
    expect(problemsOf(options ?? {})).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });

  it('are no body of a request that has none', () => {
    expect(problemsOf({ schemas: { body: z.object({}) } }, 'GET')).toEqual([
      expect.stringMatching(/^schemas\.body .* no JSON body$/),
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
