import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GantryError, type StreamPiece } from '@gantry/plugin-api';
import express from 'express';
import { z } from 'zod';
import { createJsonReader } from '../../src/exchange/input/body';
import { compileHostRoute, hostRoutes, routesWith, type HostRoute } from '../../src/exchange/host-routes';
import type { AnsweredRequests } from '../../src/idempotency/answered-requests';
import { setPrincipal } from '../../src/exchange/caller/principal';
import { createProblemHandler } from '../../src/exchange/answer/problem';
import type { Audited } from '../../src/exchange/caller/record-action';
import type { Principal } from '../../src/ports/authenticator';
import type { Rights } from '../../src/ports/rights';
import { eventually } from '../../../../test/support/eventually';

interface Counter {
  value: number;
}

const route = routesWith<Counter>();
const routes: HostRoute<Counter>[] = [
  route({
    method: 'GET',
    path: '/counter',
    operationId: 'readCounter',
    summary: 'The counter',
    deprecated: '2026-12-01',
    access: 'signed-in',
    answer: z.object({ value: z.int() }),
    meta: z.object({ step: z.int() }),
    handler: async (_call, { value }) => ({ json: `{"value":${value}}`, meta: { step: 1 } }),
  }),
  route({
    method: 'POST',
    path: '/counter',
    operationId: 'addToCounter',
    summary: 'Add to the counter',
    access: { permission: 'counter.add' },
    audit: 'counter-added',
    body: z.strictObject({ step: z.int().min(1), note: z.string() }),
    answer: z.object({ value: z.int() }),
    status: 201,
    async handler({ body: { step, note }, audit }, counter) {
      counter.value += step;
      if (note !== 'silent') await audit({ subject: 'counter', detail: { note } });
      return { data: { value: counter.value } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/counter',
    operationId: 'removeCounter',
    summary: 'Remove the counter',
    access: 'signed-in',
    demand: {
      rights: ({ isAdministrator }) => refuseUnless(isAdministrator, 'FORBIDDEN'),
      mode: ({ isSignInRequired }) => refuseUnless(isSignInRequired(), 'CONFLICT'),
      caller: ({ id }) => refuseUnless(id === 'local', 'FORBIDDEN'),
    },
    async handler({ author }) {
      author.needs?.({ isAdministrator } as Rights);
      return {};
    },
  }),
  route({
    method: 'POST',
    path: '/door',
    operationId: 'openDoor',
    summary: 'Open the door',
    access: 'public',
    limits: { share: 1, rate: { requests: 4, seconds: 600 } },
    bodyLimit: 100,
    body: z.strictObject({ to: z.enum(['hall', 'street', 'nowhere']) }),
    answer: z.object({ to: z.string() }),
    status: { 200: 'It is open.', 202: 'It opens.', 303: 'It is another door.' },
    async handler({ body: { to }, client }) {
      if (to === 'nowhere') return { status: 201 as 202, data: { to } };
      if (to === 'hall') return { status: 202, data: { to: `${to} for ${client.principal?.id ?? 'anybody'}` } };
      return { status: 303, location: '/street', headers: { 'Set-Cookie': ['a=1', 'b=2'] } };
    },
  }),
];

routes.push(
  route({
    method: 'PUT',
    path: '/counter/reset',
    operationId: 'resetCounter',
    summary: 'Reset the counter',
    access: 'signed-in',
    idempotency: 'optional',
    handler: async () => undefined as never,
  }),
);

routes.push(
  route({
    method: 'GET',
    path: '/pieces',
    operationId: 'readPieces',
    summary: 'Pieces',
    access: 'signed-in',
    limits: { share: 2, max: 1, rate: false, name: 'readers' },
    query: z.object({ as: z.string().default('text/plain') }),
    streams: { 'text/plain': z.string(), 'text/event-stream': z.string() },
    handler: async ({ query: { as }, signal }) => ({
      mediaType: as as 'text/plain',
      fileName: 'a "b.txt',
      stream: pieces(as, signal),
    }),
  }),
);

routes.push(
  route({
    method: 'POST',
    path: '/steps',
    operationId: 'takeStep',
    summary: 'Take a step',
    access: 'signed-in',
    audit: 'step-taken',
    idempotency: 'required',
    body: z.strictObject({ by: z.int() }),
    answer: z.object({ value: z.int() }),
    status: 201,
    async handler({ body: { by }, audit }, counter) {
      counter.value += by;
      await audit({ subject: 'steps' });
      return { data: { value: counter.value }, headers: { Location: `/steps/${counter.value}` } };
    },
  }),
);

let endings = 0;

async function* pieces(as: string, signal: AbortSignal): AsyncGenerator<StreamPiece> {
  try {
    if (as === 'text/plain') yield* ['one ', Buffer.from('two')];
    if (as !== 'text/event-stream') return;
    yield { event: 'greeting', id: '7', data: 'hello\nworld' };
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    endings += 1;
  }
}

function refuseUnless(isMet: boolean, code: 'FORBIDDEN' | 'CONFLICT'): void {
  if (!isMet) throw new GantryError(code, 'Refused.');
}

const log: Audited[] = [];
let permissions: readonly string[] = ['counter.add'];
let isAdministrator = false;
let isSignInRequired = false;
let server: Server;
let address: string;

beforeAll(async () => {
  const app = express();
  app.set('query parser', false);
  app.use((request, _response, next) => {
    if (request.headers['x-anonymous'] !== undefined) return next();
    const may = (name: string): boolean => permissions.includes(name);
    const rights = { may, permissions, isAdministrator } as unknown as Rights;
    const principal = { kind: 'local', id: 'local', name: 'local', login: 'local', rights } as Principal;
    setPrincipal(request, principal, { confirm: () => undefined, assertPresent: async () => undefined });
    return next();
  });
  const record = async (_request: unknown, entry: Audited): Promise<void> => void log.push(entry);
  const identity = { isSignInRequired: () => isSignInRequired };
  const answers = new Map<string, Promise<string>>();
  const answered: AnsweredRequests = {
    once: async ({ caller, operation, key, hash }, work) => {
      const name = [caller, operation, key, hash].join(' ');
      const known = answers.get(name) ?? work();
      answers.set(name, known);
      return known;
    },
  };
  const draining = new AbortController().signal;
  hostRoutes(routes, { value: 1 }, { readJson: createJsonReader(1_000), record, identity, draining, answered })(app);
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  app.use(createProblemHandler(silent, (json) => json));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function ask(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(address + path, {
    method,
    redirect: 'manual',
    ...sent,
    headers: { ...type, ...headers },
  });
  const text = await response.text();
  // eslint-disable-next-line typescript/no-explicit-any -- tests read answers of unknown shape
  const json: any = text === '' ? undefined : JSON.parse(text);
  const location = response.headers.get('location');
  return { status: response.status, allow: response.headers.get('allow'), location, json, headers: response.headers };
}

describe('a route of the platform', () => {
  it('answers with the text of JSON as it is, also to HEAD', async () => {
    expect(await ask('GET', '/counter')).toMatchObject({
      status: 200,
      json: { data: { value: 1 }, meta: { step: 1 } },
    });
    expect(await ask('HEAD', '/counter')).toMatchObject({ status: 200, json: undefined });
  });

  it('says with each answer since when it is deprecated', async () => {
    const deprecation = async (path: string) => (await ask('GET', path)).headers.get('deprecation');
    expect(await deprecation('/counter')).toBe('@1796083200');
    expect(await deprecation('/counter?unknown=1')).toBe('@1796083200');
    expect((await ask('POST', '/counter', {})).headers.get('deprecation')).toBeNull();
  });

  it('has an empty answer where its handler returns nothing', async () => {
    expect(await ask('PUT', '/counter/reset', {})).toMatchObject({ status: 204, json: undefined });
  });

  it('answers other methods with 405 and those that there are', async () => {
    expect(await ask('PUT', '/counter', {})).toMatchObject({ status: 405, allow: 'GET, HEAD, POST, DELETE' });
  });

  it('refuses a request with all its problems, and says what is expected', async () => {
    const { status, json } = await ask('POST', '/counter', { step: 0, colour: 'red' });

    expect([status, json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(json.error.details).toEqual([
      { path: 'step', code: 'VALUE_INVALID', message: 'step: must be at least 1' },
      { path: 'note', code: 'WRONG_TYPE', message: 'note: is required: a text' },
      { path: 'colour', code: 'UNKNOWN_FIELD', message: 'colour is not a member of the request' },
    ]);
    expect((await ask('GET', '/counter?step=1')).json.error.code).toBe('BAD_REQUEST');
  });

  it('notes its action in the audit log, and fails where the handler does not', async () => {
    expect((await ask('POST', '/counter', { step: 2, note: 'two' })).status).toBe(201);
    expect(log).toEqual([{ action: 'counter-added', subject: 'counter', detail: { note: 'two' } }]);
    expect((await ask('POST', '/counter', { step: 2, note: 'silent' })).status).toBe(500);
  });

  it('is refused without the permission, before its body is read', async () => {
    permissions = [];
    expect(await ask('POST', '/counter', { step: 'x' })).toMatchObject({ status: 403 });
    permissions = ['counter.add'];
  });

  it('is refused to a caller that does not meet its demand, before its body is read; its author is asked for the same rights', async () => {
    expect(await ask('DELETE', '/counter', ['x'.repeat(2_000)])).toMatchObject({ status: 409 });
    isSignInRequired = true;
    expect(await ask('DELETE', '/counter', ['x'.repeat(2_000)])).toMatchObject({ status: 403 });
    isAdministrator = true;
    expect(await ask('DELETE', '/counter', ['x'.repeat(2_000)])).toMatchObject({ status: 413 });
    expect(await ask('DELETE', '/counter')).toMatchObject({ status: 204 });
  });

  it('is open to everybody where its access is public, within its limits', async () => {
    const anonymous = { 'x-anonymous': 'true' };
    const open = (to: string) => ask('POST', '/door', { to }, anonymous);

    expect(await ask('POST', '/door', { to: 'hall' })).toMatchObject({
      status: 202,
      json: { data: { to: 'hall for local' } },
    });
    expect(await open('hall')).toMatchObject({ status: 202, json: { data: { to: 'hall for anybody' } } });
    expect(await open('x'.repeat(100))).toMatchObject({ status: 413 });
    expect(await ask('GET', '/counter', undefined, anonymous)).toMatchObject({ status: 401 });
    const redirected = await open('street');
    expect(redirected).toMatchObject({ status: 303, location: '/street', json: undefined });
    expect(redirected.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await open('nowhere')).toMatchObject({ status: 500 });
    const { status, headers, json } = await open('hall');
    expect([status, json.error.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
  });

  it('cannot be made with public access and without limits', () => {
    const open = { ...(routes[0] as HostRoute), access: 'public' } as const;

    expect(() => compileHostRoute(open)).toThrow('GET /counter: a public route must have limits');
  });
});

describe('a route that answers piece by piece', () => {
  it('sends text and bytes as a file of its name, and nothing but the head for HEAD', async () => {
    const answer = await fetch(`${address}/pieces`);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'attachment; filename="a__b.txt"',
    ]);
    expect(await answer.text()).toBe('one two');
    const head = await fetch(`${address}/pieces`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '',
    ]);
  });

  it('fails for a media type that it does not have', async () => {
    expect((await fetch(`${address}/pieces?as=text/html`)).status).toBe(500);
  });

  it('sends events until the client leaves, and holds its share until then', async () => {
    const leaving = new AbortController();
    const events = await fetch(`${address}/pieces?as=text/event-stream`, { signal: leaving.signal });
    const reader = events.body?.getReader();
    let text = '';
    while (!text.endsWith('world\n\n')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(text).toBe('retry: 1000\n\nevent: greeting\nid: 7\ndata: hello\ndata: world\n\n');
    const refused = await fetch(`${address}/pieces`);
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('at most 1 readers')]);
    const before = endings;
    leaving.abort();
    await eventually(() => endings > before);
    await eventually(async () => (await fetch(`${address}/pieces`)).status === 200);
  });
});

describe('a route that demands a key', () => {
  const step = (body: unknown, headers: Record<string, string>) =>
    fetch(`${address}/steps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('finds the first answer again, with its status and headers, and notes it once in the audit log', async () => {
    log.length = 0;
    const answers = [];
    for (const key of ['a', 'a', 'b']) {
      const answer = await step({ by: 1 }, { 'idempotency-key': key });
      answers.push([answer.status, answer.headers.get('location'), await answer.text()]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).not.toEqual(answers[0]);
    expect(log).toHaveLength(2);
  });

  it('refuses a request without one, and is refused itself where its answer cannot be stored', async () => {
    const { status, json } = await step({ by: 1 }, {}).then(async (one) => ({
      status: one.status,
      json: await one.json(),
    }));
    expect([status, (json as { error: { details: unknown[] } }).error.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'Idempotency-Key', code: 'REQUIRED' })],
    ]);
    const secret = { ...routes.at(-1), presence: true } as HostRoute<never>;
    expect(() => compileHostRoute(secret)).toThrow('idempotency is not for uploads');
  });
});
