import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { send, sendJson, type Answer } from '../../../support/rest-client';
import { createPerson, fromPage, sendAs } from '../support/accounts';

const note = { plugin: 'desk', type: 'note' };
const where = [{ field: 'createdBy', operator: 'EQUALS', value: '$user.id' }];

/** On a host with the fixtures desk and undeclared-scope, as an administrator. */
export function testCallersOfPlugins(host: TestHost, administrator: () => string): void {
  let ann = '';
  let bob = '';
  let eve = '';
  let rita = '';

  beforeAll(async () => {
    ann = administrator();
    const grants = [
      { on: note, actions: ['read', 'create'], readableFields: ['text'], writableFields: ['text'], where },
    ];
    const journal = [{ on: { plugin: 'desk', type: 'journal' }, actions: ['read', 'create'] }];
    for (const role of [
      { name: 'own-notes', grants: [...grants, ...journal] },
      { name: 'note-reader', grants: [{ on: note, actions: ['read'] }] },
    ]) {
      expect((await as(ann, 'POST', '/api/platform/roles', role)).status).toBe(201);
    }
    bob = await createPerson(host.address, ann, 'bob.desk@example.com', ['own-notes']);
    eve = await createPerson(host.address, ann, 'eve.desk@example.com', ['own-notes']);
    rita = await createPerson(host.address, ann, 'rita.desk@example.com', ['note-reader']);
    await as(ann, 'POST', '/desk/notes', { text: 'of ann', price: '5' });
    await as(bob, 'POST', '/desk/notes', { text: 'of bob' });
    await as(eve, 'POST', '/desk/notes', { text: 'of eve' });
  });

  it('are those that the caller may see, with the fields that the caller may read', async () => {
    expect(await texts(ann)).toEqual(['of ann', 'of bob', 'of eve']);
    expect(await texts(bob)).toEqual(['of bob']);
    const [own] = (await as(bob, 'GET', '/desk/notes')).json.data;
    expect(own).not.toHaveProperty('price');
    expect((await as(rita, 'GET', '/desk/notes')).json.data[0]).toMatchObject({ text: 'of ann', price: '5' });
  });

  it('name the caller as who wrote them', async () => {
    const { json } = await as(ann, 'POST', '/api/cms/items/note/list', []);
    const authors = json.data.map(({ values }: { values: { createdBy: unknown } }) => values.createdBy);
    expect(new Set(authors).size).toBe(3);
    expect(authors).not.toContain(null);
  });

  it.each([
    ['without the right to create', () => as(rita, 'POST', '/desk/notes', { text: 'x' }), 403, 'FORBIDDEN'],
    ['of a field that is hidden', () => as(bob, 'POST', '/desk/notes', { price: '1' }), 400, 'VALIDATION_FAILED'],
    ['of a read-only type', () => as(bob, 'POST', '/desk/journal', { text: 'x' }), 405, 'METHOD_NOT_ALLOWED'],
    [
      'of a read-only type as administrator',
      () => as(ann, 'POST', '/desk/journal', { text: 'x' }),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['in a transaction', () => as(rita, 'POST', '/desk/notes/pair', { first: {}, second: {} }), 403, 'FORBIDDEN'],
  ])('are not written %s', async (_why, request, status, code) => {
    const { json, ...answer } = await request();
    expect([answer.status, json.error.code]).toEqual([status, code]);
  });

  it('are those of the caller in a transaction, of which nothing is kept when it fails', async () => {
    const before = (await texts(eve)).length;
    const pair = (second: unknown): Promise<Answer> =>
      as(eve, 'POST', '/desk/notes/pair', { first: { text: 'first' }, second });
    expect((await pair({ price: '1' })).status).toBe(400);
    expect((await texts(eve)).length).toBe(before);
    expect((await pair({ text: 'second' })).json.data).toBe(before + 2);
  });

  it('are not mixed between requests at the same time', async () => {
    const callers = Array.from({ length: 30 }, (_, index) => [bob, eve, rita][index % 3] ?? '');
    const expected = new Map(await Promise.all([bob, eve, rita].map(async (one) => [one, await texts(one)] as const)));
    const answers = await Promise.all(callers.map((one) => as(one, 'GET', '/desk/notes/together?callers=30')));
    expect(answers.map(textsOf)).toEqual(callers.map((one) => expected.get(one)));
  });

  it('are those of the caller in a timer that the request began', async () => {
    expect((await as(bob, 'POST', '/desk/notes/later')).status).toBe(202);
    await eventually(async () => (await as(bob, 'GET', '/desk/notes/later')).json.data !== null);
    expect(textsOf(await as(bob, 'GET', '/desk/notes/later'))).toEqual(['of bob']);
  });

  it('are those of the caller in listeners of the response and the signal, after the client has broken off', async () => {
    const client = new AbortController();
    const options = { headers: { cookie: bob }, signal: client.signal };
    const hanging = ['/desk/hang', '/desk/listeners/'].map((path) => fetch(new URL(path, host.address), options));
    const seen = async (): Promise<Record<string, unknown>> => (await as(ann, 'GET', '/desk/seen')).json.data;
    await eventually(async () => Object.keys(await seen()).length === 2);
    client.abort();
    await Promise.allSettled(hanging);
    await eventually(async () => Object.keys(await seen()).length === 4);
    expect(await seen()).toEqual({ route: 'waits', abort: 1, mount: 'waits', close: 1 });
  });

  it('are those of the plugin in start and in the hooks of its models', async () => {
    const { json } = await as(ann, 'POST', '/api/cms/items/journal/list?limit=100', []);
    const lines = json.data.map(({ values }: { values: { text: string } }) => values.text);
    expect(lines).toEqual(expect.arrayContaining(['started', 'note: of ann', 'note: of bob', 'note: of eve']));
    const created = await as(bob, 'POST', '/api/cms/items/note', { text: 'over REST' });
    expect(created.status).toBe(201);
    expect((await as(bob, 'GET', '/api/cms/items/journal/1')).json.data.values.text).toBe('started');
  });

  it('are all items by asPlugin, and the audit log counts the uses of a minute', async () => {
    const all = (await texts(ann)).length;
    for (const session of [bob, eve, rita, bob, eve]) {
      expect((await as(session, 'GET', '/desk/notes/count')).json.data).toBe(all);
    }
    const counted = async (): Promise<number> => (await systemScopeEvents()).reduce((sum, { count }) => sum + count, 0);
    await eventually(async () => (await counted()) === 5);
    const found = await systemScopeEvents();
    // Another one where the minute ended meanwhile.
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found[0]).toMatchObject({
      subject: 'GET /desk/notes/count',
      address: '',
      detail: { reason: 'Counts the notes of all users' },
    });
  });

  it('are not all items for a plugin whose manifest gives no reason', async () => {
    const { status, json } = await as(ann, 'GET', '/undeclared-scope');
    expect([status, json.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(json.error.message).toContain('gantry.systemScope');
  });

  it('are none for a request without a credential, until the role public shows some', async () => {
    const open = async (path: string): Promise<readonly unknown[]> => {
      const { status, text } = await send(host.address, path);
      return [status, status === 200 ? JSON.parse(text) : ''];
    };
    expect(await open('/desk/open/')).toEqual([200, 'TYPE_NOT_FOUND']);
    expect(await open('/desk/shown/')).toEqual([401, '']);
    const grants = [{ on: note, actions: ['read'], where: [{ field: 'text', operator: 'EQUALS', value: 'of eve' }] }];
    expect((await as(ann, 'PUT', '/api/platform/roles/public', { grants })).status).toBe(200);
    expect(await open('/desk/shown/')).toEqual([200, ['of eve']]);
    expect(await open('/desk/open/')).toEqual([200, 'TYPE_NOT_FOUND']);
    expect(JSON.parse((await as(bob, 'GET', '/desk/shown/')).text)).toContain('of bob');
    expect(JSON.parse((await as(bob, 'GET', '/desk/open/')).text)).not.toContain('of eve');
  });

  it('are those of the role public in a public route, whoever sends the request', async () => {
    const anonymous = await sendJson(host.address, 'POST', '/desk/public', { text: 'all' });
    expect([anonymous.status, anonymous.json]).toEqual([200, { data: { hasCaller: false, texts: ['of eve'] } }]);
    for (const session of [ann, bob]) {
      const { data } = (await as(session, 'GET', '/desk/public/all')).json;
      expect(data).toEqual({ hasCaller: false, texts: ['of eve'] });
    }
    expect((await send(host.address, '/desk/public')).status).toBe(401);
    expect((await as(bob, 'GET', '/desk/public')).status).toBe(200);
  });

  it('are shown by a public route within its limits alone', async () => {
    const large = await sendJson(host.address, 'POST', '/desk/public', { text: 'x'.repeat(100) });
    expect([large.status, large.json.error.message]).toEqual([413, 'The body has more than 100 bytes. Send less.']);
    const statuses: number[] = [];
    // Two were sent before.
    for (let count = 0; count < 5; count += 1) statuses.push((await send(host.address, '/desk/public/all')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    const headers = { authorization: 'Bearer gty_wrong_token_of_nobody' };
    expect((await send(host.address, '/desk/public/all', { headers })).status).toBe(401);
  });

  it('is named with its reason where plugins are listed', async () => {
    const { json } = await as(ann, 'GET', '/api/platform/plugins');
    const reasons = json.data.plugins.map(({ id, systemScope }: Record<string, unknown>) => [id, systemScope]);
    expect(reasons.filter(([id]: readonly string[]) => id === 'desk' || id === 'undeclared-scope')).toEqual([
      ['desk', 'Counts the notes of all users'],
      ['undeclared-scope', undefined],
    ]);
  });

  it('are written once for the key of a request, which is another one for another caller', async () => {
    const create = (session: string, key: string, text: string): Promise<Answer> => {
      const headers = { ...fromPage(host.address, session), 'idempotency-key': key };
      return sendJson(host.address, 'POST', '/desk/notes', { text }, headers);
    };
    const first = await create(bob, 'key-1', 'once');
    const again = await create(bob, '"key-1"', 'once');
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    const other = await create(bob, 'key-1', 'other');
    expect([other.status, other.json.error.details[0].code]).toEqual([409, 'KEY_OF_ANOTHER_REQUEST']);
    expect((await create(eve, 'key-1', 'other')).status).toBe(201);
    expect((await texts(bob)).filter((text) => text === 'once')).toHaveLength(1);
    expect((await create(bob, 'a key', 'x')).status).toBe(400);
    // A refused request has done nothing.
    const refused = () =>
      sendJson(
        host.address,
        'POST',
        '/desk/notes',
        { price: '1' },
        {
          ...fromPage(host.address, bob),
          'idempotency-key': 'key-2',
        },
      );
    expect([(await refused()).status, (await refused()).status]).toEqual([400, 400]);
    expect((await create(bob, 'key-2', 'twice')).status).toBe(201);
  });

  function as(session: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(host.address, session, method, path, body);
  }

  async function texts(session: string): Promise<readonly string[]> {
    return textsOf(await as(session, 'GET', '/desk/notes'));
  }

  async function systemScopeEvents(): Promise<readonly { readonly action: string; readonly count: number }[]> {
    const { json } = await as(ann, 'GET', '/api/platform/audit?limit=100');
    return json.data.filter(
      ({ action, actor }: Readonly<Record<string, string>>) =>
        action === 'system-scope-used' && actor === 'plugin:desk',
    );
  }
}

function textsOf({ json }: Answer): readonly string[] {
  return (json.data ?? []).map(({ text }: { text: string }) => text);
}
