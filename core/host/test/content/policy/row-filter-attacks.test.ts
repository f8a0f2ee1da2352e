import { itemActions, type Grant } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { Client } from 'pg';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createPolicies, requestIdOf } from '@gantry/core-http';
import { createOpenPolicy, type Policy, createRolePolicy, userScope } from '@gantry/core-content';
import { createRights } from '@gantry/core-identity';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

const on = { plugin: 'workshop', type: 'node' };
const user = { id: '7', login: 'ann@example.org' };
const where = (value: string) => [{ field: 'title', operator: 'EQUALS', value }] as const;

describe('roles with conditions, attacked', () => {
  let content: OpenTypes;
  let address = '';
  let close: () => Promise<void>;
  let current: Policy;

  beforeAll(async () => {
    const Node: ItemTypeClass = declareType(
      'Node',
      {
        code: { required: true, searchable: true },
        title: { searchable: true },
        price: { type: 'NUMBER', searchable: true },
        parent: { type: 'REFERENCE', targetEntity: () => Node, searchable: true },
      },
      { unique: [['code']] },
    );
    content = await openTypes([Node]);
    const served = await serveItems(content, (request) => userScope(current, user.id, requestIdOf(request)));
    ({ address, close } = served);
  });
  afterAll(() => close());
  beforeEach(async () => {
    await content.rows(emptyTables('workshop_%'));
    current = createOpenPolicy(content.types);
    await ask('POST', 'items/node', { code: 'N-1', title: 'one', price: 1 });
    await ask('POST', 'items/node', { code: 'N-2', title: 'two', price: 2 });
  });

  function role(...grants: readonly Omit<Grant, 'on'>[]): void {
    const whole = grants.map((grant) => ({ on, ...grant }));
    current = createRolePolicy(content.types, whole, user);
  }

  function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const target = `/api/cms/${path}`;
    return body === undefined ? send(address, target, { method }) : sendJson(address, method, target, body);
  }

  it('do not confirm a guess of a field that is shown on other items', async () => {
    role(
      { actions: ['read'], readableFields: ['code', 'title'] },
      { actions: ['read'], readableFields: ['code', 'title', 'price'], where: where('one') },
      { actions: ['update'], writableFields: ['title', 'price'] },
    );
    const answers = [];
    for (const price of [2, 5]) {
      const { status, json } = await ask('PATCH', 'items/node/2', { price });
      answers.push([status, json.error.details]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(400);
  });

  it('set no reference through an import that they may not set', async () => {
    const fields = ['code', 'title', 'parent'];
    role({ actions: itemActions, readableFields: fields, writableFields: ['code', 'title'] });
    const created = await ask('POST', 'imports/node', [{ code: 'A', parent: 'B' }, { code: 'B' }]);
    const changed = await ask('POST', 'imports/node?match=code', [{ code: 'N-1', parent: 'Z' }, { code: 'Z' }]);

    for (const answer of [created, changed]) {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('NOT_EDITABLE')]);
    }
    expect(await content.rows('SELECT code FROM workshop_node WHERE parent_id IS NOT NULL')).toEqual([]);
  });

  it.each(['two $5', 'three $$x', '$', String.raw`a\$'$1`])(
    'compare %j as it is in reads and writes',
    async (title) => {
      await ask('POST', 'items/node', { code: 'N-3', title });
      role({ actions: itemActions, where: where(title) });

      expect((await ask('POST', 'items/node/list', [])).json.data).toHaveLength(1);
      expect((await ask('PATCH', 'items/node/3', { price: 4 })).status).toBe(200);
      expect((await ask('PATCH', 'items/node/2', { price: 4 })).status).toBe(404);
      expect((await ask('POST', 'items/node', { code: 'N-4', title })).status).toBe(201);
      expect((await ask('POST', 'imports/node', [{ code: 'N-5', title }])).status).toBe(200);
      expect((await ask('DELETE', 'items/node/3')).status).toBe(204);
    },
  );

  it.each(['constructor', 'toString', '__proto__', 'valueOf'])('take %s as a text', async (title) => {
    await ask('POST', 'items/node', { code: 'N-3', title });
    role({ actions: ['read'], where: where(title) });

    expect((await ask('POST', 'items/node/list', [])).json.data).toHaveLength(1);
  });

  it('name the fields that may not be set on an item, and no field where the item itself is refused', async () => {
    role(
      { actions: ['read', 'create', 'import'] },
      { actions: ['update'], writableFields: ['title'], where: where('two') },
      { actions: ['update'], where: where('three') },
    );
    const lines = [
      { code: 'N-1', price: 9 },
      { code: 'N-2', title: 'two', price: 9 },
      { code: 'N-2', title: 'four' },
    ];
    const problems = [];
    for (const line of lines) {
      const imported = await ask('POST', 'imports/node?match=code', [line]);
      problems.push(imported.json.error.details);
    }

    const refused = { line: 1, code: 'FORBIDDEN' };
    expect(problems).toEqual([
      [{ ...refused, path: '', message: expect.stringContaining('this Node') }],
      [{ ...refused, path: 'price', value: '9', message: expect.stringContaining('price') }],
      [{ ...refused, path: '', message: expect.stringContaining('Node') }],
    ]);
    const direct = await ask('PATCH', 'items/node/2', { title: 'two', price: 9 });
    expect([direct.status, direct.json.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'FORBIDDEN',
        details: [{ path: 'price', code: 'FORBIDDEN', message: expect.stringContaining('price') }],
      }),
    ]);
    expect((await ask('PATCH', 'items/node/1', { price: 9 })).json.error.details).toBeUndefined();
  });

  it('complete what an import creates by the right to create', async () => {
    role({ actions: ['read', 'create', 'import'] });
    const answer = await ask('POST', 'imports/node', [
      { code: 'N-3', parent: 'N-4' },
      { code: 'N-4', parent: 'N-1' },
    ]);

    expect([answer.status, answer.json.data]).toEqual([200, expect.objectContaining({ created: 2 })]);
    const changed = await ask('POST', 'imports/node?match=code', [{ code: 'N-3', parent: 'N-1' }]);
    expect(changed.json.error.details).toMatchObject([{ path: 'parent', code: 'NOT_EDITABLE' }]);
  });

  it.each([
    ['without the right to create', { actions: ['read', 'update', 'import'] }],
    ['that does not show all items', { actions: ['read', 'create', 'import'], where: where('one') }],
  ] as const)('give no ids by a role %s', async (_role, grant) => {
    role(grant);
    for (const query of ['keepIds=true', 'keepIds=true&dryRun=true', 'keepIds=true&match=id']) {
      const { json } = await ask('POST', `imports/node?${query}`, [{ id: 2, code: 'N-9', title: 'one' }]);
      expect(json.error).toMatchObject({ code: 'FORBIDDEN' });
    }
    await ask('POST', 'imports/node?keepIds=true', [{ id: 5_000, code: 'N-9', title: 'one' }]);

    current = createOpenPolicy(content.types);
    expect((await ask('POST', 'items/node', { code: 'N-3' })).json.data.id).toBe(3);
  });

  it('learn of an id by no statement that is sent, nor by what follows, whether it is hidden', async () => {
    await ask('PATCH', 'items/node/2', { price: 3 });
    role({ actions: itemActions, where: where('one') });
    const end = '9.9.9';
    const requests: readonly (readonly [string, string, unknown?])[] = [
      ['PATCH', 'items/node/ID', { title: 'one' }],
      ['DELETE', 'items/node/ID', {}],
      ['GET', 'items/node/ID/history?limit=1'],
      ['GET', `items/node/ID/history?limit=1&before=${end}`],
      ['GET', 'items/node/ID/history/1'],
      ['GET', 'items/node/ID/differences?from=1&to=2'],
      ['POST', 'items/node/ID/restore', { version: 1 }],
      ['POST', 'items/node/ID/restore', { version: 1, check: true }],
    ];
    for (const [method, path, body] of requests) {
      const [hidden, unknown] = [await sentFor('2'), await sentFor('99')];
      expect(hidden).toEqual(unknown);

      async function sentFor(id: string) {
        const statements: string[] = [];
        const original = Client.prototype.query as (...given: readonly unknown[]) => unknown;
        const recorder = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
          this: Client,
          ...given: readonly unknown[]
        ) {
          statements.push(
            textOf(given[0])
              .replaceAll(new RegExp(`(?<!\\$)\\b${id}\\b`, 'g'), 'ID')
              .replace(/origin = '[^']*'/, 'origin'),
          );
          return original.apply(this, [...given]);
        });
        const { status, json } = await ask(method, path.replace('ID', id), body);
        recorder.mockRestore();
        expect(statements).not.toEqual([]);
        const { meta, error } = json;
        return { method, path, status, code: error?.code, meta, statements };
      }
    }
  });

  it('keep no policy of a user for requests without a credential', () => {
    const grants: readonly Grant[] = [{ on, actions: ['read'] }];
    const named = { name: 'public', displayName: '', description: '', permissions: [], isBuiltIn: false };
    const rights = createRights([{ ...named, grants }], []);
    const policies = createPolicies(content.types);
    const signedIn = policies.of(rights, user).types.find('node')?.descriptor;
    const anonymous = policies.of(rights, { id: 'public', login: '' }).types.find('node')?.descriptor;

    expect([signedIn?.hidesAuthors, anonymous?.hidesAuthors]).toEqual([undefined, true]);
  });
});

/** Of a statement as pg is given it. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text, statement } = query as { readonly text?: string; readonly statement?: { readonly sql: string } };
  return text ?? statement?.sql ?? '';
}
