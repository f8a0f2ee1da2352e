import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GantryError } from '@gantry/plugin-api';
import express from 'express';
import { z } from 'zod';
import { createJsonReader } from '../../../src/http/exchange/body';
import { compileHostRoute, hostRoutes, routesWith, type HostRoute } from '../../../src/http/exchange/host-routes';
import { setPrincipal } from '../../../src/http/exchange/principal';
import { createProblemHandler } from '../../../src/http/exchange/problem';
import type { Audited } from '../../../src/http/exchange/record-action';
import type { Principal, Rights } from '../../../src/identity';

interface Counter {
  value: number;
}

const route = routesWith<Counter>();
const routes = [
  route({
    method: 'GET',
    path: '/counter',
    operationId: 'readCounter',
    summary: 'The counter',
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
  hostRoutes(routes, { value: 1 }, { readJson: createJsonReader(1_000), record, identity })(app);
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
