import { Client } from 'pg';
import { isGantryError, type BaseItem } from '@gantry/plugin-api';
import type { JsonObject } from '@gantry/core-common';
import type { CompiledItemType } from '../../src/compile/descriptor';
import { createOpenPolicy } from '../../src/policy/open-policy';
import { createRolePolicy } from '../../src/policy/role-policy';
import { userScope, type Scope } from '../../src/policy/scope';
import type { BulkChange, BulkOutcome, BulkTransaction } from '../../src/write/bulk/bulk-write';
import { parseNewItem, parsePayload } from '../../src/write/values/payload';
import { declareType, type Declarations } from '../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

const tag = declareType('Tag', { name: {} });
const fields = (own: () => ReturnType<typeof declareType>): Declarations => ({
  code: { required: true },
  name: { maxLength: 12, searchable: true },
  reason: { requiredIf: { field: 'name', equals: 'closed' } },
  size: { type: 'NUMBER', column: 'DOUBLE PRECISION' },
  tags: { type: 'REFERENCE', targetEntity: () => tag, cardinality: 'MULTIPLE' },
  related: { type: 'REFERENCE', targetEntity: own, cardinality: 'MULTIPLE' },
  parent: { type: 'REFERENCE', targetEntity: own },
});
const plain: ReturnType<typeof declareType> = declareType(
  'Plain',
  fields(() => plain),
  { unique: [['code']] },
);
const hooked: ReturnType<typeof declareType> = declareType(
  'Hooked',
  fields(() => hooked),
  { unique: [['code']] },
);
const codes = ['plain', 'hooked'] as const;

let content: OpenTypes;
let open: Scope;
/** About items with the name `own` alone. */
let limited: Scope;
let hooks: string[] = [];

beforeAll(async () => {
  content = await openTypes([tag, plain, hooked]);
  const policy = createOpenPolicy(content.types);
  open = userScope(policy, '7', 'none');
  const actions = ['read', 'create', 'update', 'import'] as const;
  const grant = (type: string) => ({
    on: { plugin: 'workshop', type },
    actions: [...actions],
    where: [{ field: 'name', operator: 'EQUALS' as const, value: 'own' }],
  });
  const tags = { on: { plugin: 'workshop', type: 'tag' }, actions: [...actions] };
  const user = { id: '7', login: 'ann@example.org' };
  limited = userScope(createRolePolicy(content.types, [grant('plain'), grant('hooked'), tags], user), '7', 'none');
  for (const name of ['A', 'B', 'C']) await content.writer.create(open, typeOf('tag'), { name });
  const { model } = typeOf('hooked');
  for (const name of [
    ...(['beforeValidate', 'afterValidate', 'beforeCreate', 'afterCreate', 'beforeUpdate', 'afterUpdate'] as const),
  ]) {
    model.addHook(name, (item: BaseItem) => {
      hooks.push(name);
      if (name.startsWith('before') && item.get('name') === 'refused') throw new Error('The hook refuses it.');
    });
  }
});
afterAll(() => content.close());
beforeEach(async () => {
  await content.rows('TRUNCATE workshop_plain, workshop_hooked RESTART IDENTITY CASCADE');
  await content.rows('DELETE FROM gantry_change');
  hooks = [];
});

function typeOf(code: string): CompiledItemType {
  const type = content.types.find(code);
  if (type === undefined) throw new Error(`There is no type ${code}.`);
  return type;
}

/** Result of a write, without times and the name of the type. */
async function outcome(work: Promise<{ readonly json: string; readonly version: number }>): Promise<unknown> {
  try {
    const { json, version } = await work;
    return { item: JSON.parse(json.replaceAll(/"(created|updated)At":"[^"]*"/g, '"$1At":""')) as unknown, version };
  } catch (error) {
    if (!isGantryError(error)) throw error;
    const { code, message, details } = error;
    return JSON.stringify({ code, message, details }).replaceAll(/plain|hooked/gi, 'type');
  }
}

const create = (scope: Scope, code: string, payload: JsonObject) =>
  outcome(content.writer.create(scope, typeOf(code), payload));
const update = (scope: Scope, code: string, id: string, payload: JsonObject, expected?: readonly string[]) =>
  outcome(content.writer.update(scope, typeOf(code), id, payload, { expected }));

/** The same asked of both types. */
async function both(work: (code: string) => Promise<unknown>): Promise<unknown> {
  const [first, second] = [await work('plain'), await work('hooked')];
  expect(first).toEqual(second);
  return first;
}

const changesOf = (code: string) =>
  content.rows(
    `SELECT item_id, version, action, actor, source, values, previous FROM gantry_change WHERE item_table = 'workshop_${code}' ORDER BY item_id, version`,
  );

function bulk<T>(scope: Scope, work: (transaction: BulkTransaction) => Promise<T>): Promise<T> {
  const kept = async (transaction: BulkTransaction) => ({ keep: true, result: await work(transaction) });
  return content.bulk.transaction(scope, kept, new AbortController().signal);
}

function insertAll(scope: Scope, code: string, payloads: readonly JsonObject[]): Promise<readonly BulkOutcome[]> {
  const type = scope.policy.types.find(code) ?? typeOf(code);
  return bulk(scope, ({ insert }) =>
    insert(
      type,
      payloads.map((payload) => parseNewItem(type, payload)),
    ),
  );
}

function updateAll(
  scope: Scope,
  code: string,
  changes: readonly (Pick<BulkChange, 'id'> & { readonly payload: JsonObject })[],
): Promise<readonly BulkOutcome[]> {
  const type = scope.policy.types.find(code) ?? typeOf(code);
  const { descriptor } = type;
  return bulk(scope, (transaction) =>
    transaction.update(
      type,
      changes.map(({ id, payload }) => ({ id, values: parsePayload(descriptor, payload, 'update').values })),
    ),
  );
}

const text = (outcomes: readonly BulkOutcome[]) =>
  JSON.parse(JSON.stringify(outcomes).replaceAll(/plain|hooked/gi, 'type')) as readonly {
    readonly status: string;
    readonly problems?: unknown;
  }[];

describe('an item whose model has hooks', () => {
  it('is created as one whose model has none', async () => {
    await both((code) => create(open, code, { code: 'a', tags: [2, 1], related: [] }));
    await both((code) => create(open, code, { code: 'b', name: 'x', related: [1], parent: 1 }));
    await both((code) => create(open, code, { code: 'a', tags: [1] }));
    await both((code) => create(open, code, { code: 'c', tags: [9] }));
    await both((code) => create(open, code, { code: 'c', parent: 9 }));
    await both((code) => create(open, code, { code: 'c', related: [5] }));
    await both((code) => create(open, code, { code: 'c', name: 'closed', tags: [1] }));
    expect(await changesOf('plain')).toEqual(await changesOf('hooked'));
  });

  it('cannot refer to itself by an id that was guessed', async () => {
    for (const field of ['parent', 'related']) {
      const found = await both(async (code) => {
        await content.rows(`ALTER TABLE workshop_${code} ALTER COLUMN id RESTART WITH 50`);
        return create(open, code, { code: field, [field]: field === 'parent' ? 50 : [50] });
      });
      expect(found).toMatch(/SELF_REFERENCE/);
    }
  });

  it('is changed as one whose model has none', async () => {
    for (const code of codes) for (const key of ['a', 'b']) await create(open, code, { code: key, tags: [1] });
    await both((code) => update(open, code, '1', { tags: [2, 1], name: 'one' }));
    await both((code) => update(open, code, '1', { tags: [2, 1], name: 'one' }));
    await both((code) => update(open, code, '1', { tags: [] }, ['1']));
    await both((code) => update(open, code, '1', { tags: [] }, ['2']));
    await both((code) => update(open, code, '1', { parent: 1, related: [1, 2] }));
    await both((code) => update(open, code, '1', { parent: 2, related: [2], tags: [3] }));
    await both((code) => update(open, code, '1', { code: 'b', tags: [1] }));
    await both((code) => update(open, code, '1', { name: 'closed', tags: [1] }));
    await both((code) => update(open, code, '1', { name: 'closed', reason: 'why' }));
    await both((code) => update(open, code, '1', { tags: [9] }));
    await both((code) => update(open, code, '3', { tags: [1] }));
    expect(await changesOf('plain')).toEqual(await changesOf('hooked'));
  });

  it('is not changed by a number that PostgreSQL writes in another way', async () => {
    const values = { size: -28381821233779190, tags: [1] };
    for (const code of codes) await create(open, code, { code: 'a', ...values });
    expect(await both((code) => update(open, code, '1', values))).toMatchObject({ version: 1 });
  });

  it('is refused by conditions of a role as one whose model has none', async () => {
    for (const code of codes) for (const name of ['own', 'other']) await create(open, code, { code: name, name });
    expect(await both((code) => create(limited, code, { code: 'x', name: 'other' }))).toMatch(/FORBIDDEN/);
    await both((code) => create(limited, code, { code: 'x', name: 'own', tags: [1] }));
    await both((code) => create(limited, code, { code: 'own', name: 'own' }));
    await both((code) => update(limited, code, '1', { reason: 'why', tags: [1] }));
    expect(await both((code) => update(limited, code, '1', { name: 'other' }))).toMatch(/FORBIDDEN/);
    expect(await both((code) => update(limited, code, '2', { name: 'own' }))).toMatch(/ITEM_NOT_FOUND/);
    await both((code) => update(limited, code, '1', { name: 'own' }, ['1']));
    await both(async (code) => text(await insertAll(limited, code, [{ code: 'y' }, { code: 'z', name: 'own' }])));
    const changes = ['1', '2'].map((id) => ({ id, payload: { reason: 'bulk' } }));
    await both(async (code) => text(await updateAll(limited, code, changes)));
    const away = [{ id: '1', payload: { name: 'other' } }];
    await both(async (code) => text(await updateAll(limited, code, away)));
    expect(await changesOf('plain')).toEqual(await changesOf('hooked'));
  });

  it('is one of many that are written together, each for itself', async () => {
    const rows = [{ code: 'a', tags: [1, 2] }, { code: 'b', name: 'y' }, { code: 'a' }, { code: 'c', parent: 9 }];
    const found = await both(async (code) => statuses(await insertAll(open, code, rows)));
    expect(found).toEqual(['written', 'written', 'refused', 'refused']);
    const ids = await both(async (code) => keysOf(code));
    expect(ids).toEqual(['a', 'b']);
    const [a = '', b = ''] = await idsOf('plain');
    await both(async (code) => {
      const own = await idsOf(code);
      const changes = [
        { id: own[0] ?? a, payload: { name: 'x', tags: [3] } },
        { id: own[1] ?? b, payload: { code: 'a' } },
        { id: own[1] ?? b, payload: { tags: [2, 1] } },
      ];
      return text(await updateAll(open, code, changes)).map(({ status, problems }) => ({ status, problems }));
    });
    const seen = async (code: string) =>
      (await changesOf(code)).map(({ item_id: _id, ...change }) => JSON.stringify(change)).toSorted();
    expect(await seen('plain')).toEqual(await seen('hooked'));
  });
});

const statuses = (outcomes: readonly BulkOutcome[]) => outcomes.map(({ status }) => status);
const idsOf = async (code: string) =>
  (await content.rows(`SELECT id::text FROM workshop_${code} ORDER BY code`)).map(({ id }) => String(id));
const keysOf = async (code: string) =>
  (await content.rows(`SELECT code FROM workshop_${code} ORDER BY code`)).map((row) => row['code']);

describe('hooks of a model', () => {
  const creating = ['beforeValidate', 'afterValidate', 'beforeCreate', 'afterCreate'];
  // Sequelize validates again what a hook may have changed.
  const validating = ['beforeValidate', 'afterValidate'];
  const updating = [...validating, 'beforeUpdate', ...validating, 'afterUpdate'];

  it('run in order, once for each item that is written', async () => {
    await create(open, 'hooked', { code: 'a', tags: [1] });
    expect(hooks.splice(0)).toEqual(creating);
    await update(open, 'hooked', '1', { tags: [2] });
    expect(hooks.splice(0)).toEqual(updating);
    await update(open, 'hooked', '1', { tags: [2] });
    expect(hooks.splice(0)).toEqual([]);
    await insertAll(open, 'hooked', [{ code: 'b' }, { code: 'c' }]);
    expect(hooks.splice(0)).toEqual([...creating, ...creating]);
    await updateAll(open, 'hooked', [
      { id: '1', payload: { name: 'x' } },
      { id: '2', payload: { name: 'y' } },
    ]);
    expect(hooks.splice(0)).toEqual([...updating, ...updating]);
  });

  it('undo what they did themselves with the row that they refuse, and leave the others', async () => {
    const model = typeOf('hooked').model;
    model.addHook('afterCreate', 'notes', async (item, { transaction }) => {
      const name = `note of ${String(item.get('code'))}`;
      await typeOf('tag').model.create({ name }, { ...(transaction && { transaction }) });
      if (item.get('name') === 'late') throw new Error('It is too late.');
    });
    const rows = [{ code: 'a' }, { code: 'b', name: 'late' }, { code: 'c', name: 'refused' }, { code: 'd' }];
    const outcomes = await insertAll(open, 'hooked', rows);
    model.removeHook('afterCreate', 'notes');

    expect(statuses(outcomes)).toEqual(['written', 'refused', 'refused', 'written']);
    expect(
      outcomes.flatMap((one) => (one.status === 'refused' ? one.problems.map(({ message }) => message) : [])),
    ).toEqual(['It is too late.', 'The hook refuses it.']);
    const notes = await content.rows("DELETE FROM workshop_tag WHERE name LIKE 'note%' RETURNING name");
    expect(notes.map(({ name }) => name)).toEqual(['note of a', 'note of d']);
  });
});

/** Messages to PostgreSQL, each of which is answered before the next one, and what became of the work. */
async function counted(work: () => Promise<unknown>): Promise<readonly [number, unknown]> {
  const sent = jest.spyOn(Client.prototype, 'query');
  const result = await work();
  const { length } = sent.mock.calls;
  sent.mockRestore();
  return [length, result];
}

describe('a write that succeeds', () => {
  async function roundTrips(work: () => Promise<unknown>): Promise<number> {
    const [count, result] = await counted(work);
    expect(result).toMatchObject({ version: expect.any(Number) });
    return count;
  }

  it('takes two or three round trips, begin and end counted', async () => {
    for (const code of codes) await create(open, code, { code: 'a', name: 'own' });
    const counts: Record<string, readonly number[]> = {};
    for (const [scope, name] of [
      [open, 'open'],
      [limited, 'limited'],
    ] as const) {
      for (const code of codes) {
        const links = { tags: [1, 2], related: [2] };
        const values = { code: `${code} ${name}`, name: 'own' };
        // The first one of a connection prepares it.
        await create(scope, code, { ...values, code: `${name} first` });
        counts[`${name} ${code}`] = [
          await roundTrips(() => create(scope, code, { ...values, ...links })),
          await roundTrips(() => update(scope, code, '1', { ...links, reason: name })),
          await roundTrips(() => update(scope, code, '1', { reason: null, tags: [] })),
          await roundTrips(() => update(scope, code, '1', { reason: null })),
          await roundTrips(() => update(scope, code, '1', { related: [] })),
          await roundTrips(() => update(scope, code, '1', { related: [2] })),
        ];
      }
    }
    // Rows that a policy may hide are read with the first statements: the related item of the first ones.
    expect(counts).toEqual({
      'open plain': [2, 2, 2, 2, 2, 2],
      'open hooked': [3, 3, 3, 2, 3, 3],
      'limited plain': [3, 2, 2, 2, 2, 2],
      'limited hooked': [3, 3, 3, 2, 3, 3],
    });
  });

  it('takes one where nothing but the row is concerned', async () => {
    await create(open, 'tag', { name: 'first' });
    expect(await roundTrips(() => create(open, 'tag', { name: 'second' }))).toBe(1);
    expect(await roundTrips(() => update(open, 'tag', '1', { name: 'other' }))).toBe(1);
    await update(open, 'tag', '1', { name: 'A' });
  });
});

describe('a write that is refused', () => {
  it('takes one round trip more at most, but for links of a model with hooks', async () => {
    const highest: Record<string, number> = {};
    for (const code of codes) {
      await create(open, code, { code: 'a', name: 'own' });
      await create(open, code, { code: 'b', name: 'other' });
      for (const [scope, name] of [
        [open, 'open'],
        [limited, 'limited'],
      ] as const) {
        const refusals = [
          () => update(scope, code, '99', { name: 'own' }),
          () => update(scope, code, '2', { reason: 'x' }, ['9']),
          () => update(scope, code, '1', { reason: 'x' }, ['9']),
          () => update(scope, code, '1', { name: 'far too long a name' }),
          () => update(scope, code, '1', { code: 'b' }),
          () => update(scope, code, '1', { parent: 99 }),
          () => update(scope, code, '1', { tags: [99] }),
          () => create(scope, code, { code: 'b', name: 'own' }),
          () => create(scope, code, { code: 'c', name: 'own', parent: 99 }),
          () => create(scope, code, { code: 'c', name: 'own', tags: [99] }),
        ];
        const counts: number[] = [];
        for (const refusal of refusals) {
          const [count, result] = await counted(refusal);
          expect(result).toMatch(/ITEM_NOT_FOUND|VERSION_MISMATCH|VALIDATION_FAILED|CONFLICT/);
          counts.push(count);
        }
        highest[`${name} ${code}`] = Math.max(...counts);
      }
    }
    // The links of a model with hooks are written after them: BEGIN with reading, the row, links, ROLLBACK, and what is missing.
    expect(highest).toEqual({ 'open plain': 4, 'open hooked': 5, 'limited plain': 4, 'limited hooked': 5 });
  });
});

describe('two writers of one item', () => {
  it.each(codes)('see each other, also in links and conditions (%s)', async (code) => {
    await create(open, code, { code: 'a', name: 'own', tags: [1] });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let written = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const first = content.writer.transaction(open, async ({ writer }) => {
      await writer.update(open, typeOf(code), '1', { tags: [2], name: 'other' }, {});
      written();
      await released;
    });
    await isWritten;
    const second = update(open, code, '1', { tags: [1] });
    const third = update(limited, code, '1', { reason: 'why' });
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    while ((await content.rows(waiting)).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    release();
    await first;

    expect(await second).toMatchObject({ item: { values: { tags: [{ id: 1 }] } }, version: 3 });
    expect(await third).toMatch(/ITEM_NOT_FOUND/);
    expect((await changesOf(code)).map(({ version, action }) => [version, action])).toEqual([
      [1, 'created'],
      [2, 'updated'],
      [3, 'updated'],
    ]);
  });
});
