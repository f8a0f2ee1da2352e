import type { RequestSchemas, RouteHandler, RouteRequest } from '@gantry/plugin-api';
import { z } from 'zod';
import { callRoute } from '../../src/exchange/call-route';
import { compileRouteSchemas } from '@gantry/core-loader';

type Parts = Partial<Pick<RouteRequest, 'params' | 'query' | 'body'>>;

/** @returns what the handler gets */
async function call(schemas: RequestSchemas, parts: Parts): Promise<unknown> {
  const handler: RouteHandler = async ({ params, query, body }) => ({ data: { params, query, body } });
  const compiled = compileRouteSchemas('POST', '/orders/:orderId', { schemas });
  const caller = { kind: 'local', id: 'local', name: 'local', login: 'local', permissions: [] } as const;
  const rest = { caller, requestId: 'test', signal: new AbortController().signal };
  const request = { params: {}, query: {}, body: undefined, ...rest, ...parts };
  return (await callRoute({ handler, schemas: compiled.schemas }, request)).data;
}

describe('callRoute', () => {
  it('gives each part as its schema makes it, and the others as they are', async () => {
    const query = z.object({ limit: z.coerce.number().default(50) });

    expect(await call({ query }, { params: { orderId: '1' }, query: { limit: '7' }, body: 'text' })).toEqual({
      params: { orderId: '1' },
      query: { limit: 7 },
      body: 'text',
    });
  });

  it('reports the problems of all parts together, each with its path', async () => {
    const schemas = {
      params: z.object({
        orderId: z
          .string()
          .refine((id) => id !== '..', { error: 'orderId is a path', params: { code: 'ORDER_ID_INVALID' } }),
      }),
      body: z.strictObject({ lines: z.array(z.object({ price: z.number() })) }),
    };

    await expect(
      call(schemas, {
        params: { orderId: '..' },
        body: { lines: [{ price: 1 }, { price: 'x' }], more: 1, ['m'.repeat(90)]: 1 },
      }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^orderId is a path; lines\[1\]\.price: Invalid input: .+; more is not a member/),
      details: [
        { path: 'orderId', code: 'ORDER_ID_INVALID', message: expect.stringContaining('orderId') },
        { path: 'lines[1].price', code: 'WRONG_TYPE' },
        { path: 'more', code: 'UNKNOWN_FIELD', message: expect.stringContaining('more') },
        { path: `${'m'.repeat(80)}…`, code: 'UNKNOWN_FIELD' },
      ],
    });
  });

  it('reports what is wrong with a value of several forms by the form that fits best', async () => {
    const form = z.union([z.strictObject({ types: z.array(z.string()) }), z.strictObject({ views: z.array(z.int()) })]);
    const refused = (value: unknown) => call({ body: z.object({ value: form }) }, { body: { value } });

    await expect(refused({ views: [1, 'a'], more: 1 })).rejects.toMatchObject({
      details: [
        { path: 'value.views[1]', code: 'WRONG_TYPE' },
        { path: 'value.more', code: 'UNKNOWN_FIELD' },
      ],
    });
    await expect(refused({})).rejects.toMatchObject({ details: [{ path: 'value', code: 'VALUE_INVALID' }] });
    await expect(refused(5)).rejects.toMatchObject({ details: [{ path: 'value', code: 'VALUE_INVALID' }] });
  });

  it.each([
    [{ text: 5 }, 'WRONG_TYPE'],
    [{ text: 'a-b' }, 'PATTERN'],
    [{ text: 'abcd' }, 'TOO_LONG'],
    [{ list: [1, 2, 3] }, 'TOO_MANY'],
    [{ choice: 'c' }, 'VALUE_INVALID'],
  ])('reports %j with the code %s', async (body, code) => {
    const schema = z.object({
      text: z
        .string()
        .max(3)
        .regex(/^[a-z]+$/)
        .optional(),
      list: z.array(z.number()).max(2).optional(),
      choice: z.enum(['a', 'b']).optional(),
    });

    await expect(call({ body: schema }, { body })).rejects.toMatchObject({ details: [{ code }] });
  });

  it('reports fifty problems at most', async () => {
    const body = z.object({ lines: z.array(z.number()) });

    await expect(call({ body }, { body: { lines: Array.from({ length: 60 }, () => 'x') } })).rejects.toHaveProperty(
      'details.length',
      50,
    );
  });

  it.each([null, [], 'text', 5])('refuses the body %j, which is no object', async (body) => {
    await expect(call({ body: z.object({}) }, { body })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('refuses a missing body only where the schema needs one', async () => {
    const reason = z.string().optional();

    await expect(call({ body: z.object({ reason }) }, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await call({ body: z.object({ reason }).default({}) }, {})).toMatchObject({ body: {} });
  });

  it('waits for a schema that answers later', async () => {
    const body = z.object({ code: z.string().refine(async (code) => Promise.resolve(code === 'a')) });

    await expect(call({ body }, { body: { code: 'b' } })).rejects.toMatchObject({ details: [{ path: 'code' }] });
  });
});
