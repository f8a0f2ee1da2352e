import { isGantryError, type CommittedWrite, type PendingWrite, type WriteHookDefinition } from '@gantry/plugin-api';
import type { JsonObject } from '@gantry/core-common';
import { createWriteHooks } from '../../../src/composition/write-hooks';
import {
  type BulkTransaction,
  type CompiledItemType,
  createOpenPolicy,
  createRolePolicy,
  userScope,
  type Scope,
  shippedFieldTypes,
  parseNewItem,
  parsePayload,
} from '@gantry/core-content';
import { eventually } from '../../../../../test/support/eventually';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';

const tag = declareType('Tag', { name: {} });
const page = declareType(
  'Page',
  {
    code: { required: true, searchable: true },
    title: { maxLength: 20 },
    price: { type: 'NUMBER' },
    reason: { requiredIf: { field: 'title', equals: 'closed' } },
    secret: {},
    tags: { type: 'REFERENCE', targetEntity: () => tag, cardinality: 'MULTIPLE' },
    main: { type: 'REFERENCE', targetEntity: () => tag },
    mood: { type: 'REFERENCE', targetEntity: () => tag, onDelete: 'setNull' },
  },
  { unique: [['code']] },
);

let content: OpenTypes;
let open: Scope;
/** Does not see the secret, and may not set the reason. */
let limited: Scope;
let isServed = true;
let before: NonNullable<WriteHookDefinition['beforeWrite']> = () => undefined;
let seen: PendingWrite[] = [];
let after: CommittedWrite[] = [];
let slowAfter = async (): Promise<void> => undefined;
const logger = createRecordedLogger();

beforeAll(async () => {
  const definition = {
    id: 'guard',
    writeHooks: [
      {
        types: ['page', 'unknown'],
        beforeWrite(write: PendingWrite) {
          seen.push(write);
          return before(write);
        },
        async afterWrite(write: CommittedWrite) {
          after.push(write);
          await slowAfter();
          if (write.values['title'] === 'after fails') throw new Error('It fails afterwards.');
        },
      },
    ],
  };
  const enter = <T>(_plugin: string, code: () => T): T => code();
  const hooks = createWriteHooks({ plugins: [{ definition }], isServed: () => isServed, enter, logger });
  content = await openTypes([tag, page], shippedFieldTypes, undefined, hooks);
  open = userScope(createOpenPolicy(content.types), '7', 'none');
  const actions = ['read', 'create', 'update', 'import'] as const;
  const shown = ['code', 'title', 'price', 'reason', 'tags', 'main', 'mood'];
  const grants = [
    {
      on: { plugin: 'workshop', type: 'page' },
      actions: [...actions],
      readableFields: shown,
      writableFields: shown.filter((name) => name !== 'reason'),
    },
    { on: { plugin: 'workshop', type: 'tag' }, actions: [...actions, 'delete' as const] },
  ];
  limited = userScope(createRolePolicy(content.types, grants, { id: '7', login: 'ann@example.org' }), '7', 'none');
  for (const name of ['A', 'B']) await content.writer.create(open, typeOf('tag'), { name });
});
afterAll(() => content.close());
beforeEach(async () => {
  await content.rows('TRUNCATE workshop_page RESTART IDENTITY CASCADE');
  [before, seen, after, isServed] = [() => undefined, [], [], true];
  slowAfter = async () => undefined;
});

function typeOf(code: string, scope = open): CompiledItemType {
  const type = scope.policy.types.find(code);
  if (type === undefined) throw new Error(`There is no type ${code}.`);
  return type;
}

async function outcome(work: Promise<{ readonly json: string }>): Promise<unknown> {
  try {
    return (JSON.parse((await work).json) as { readonly values: unknown }).values;
  } catch (error) {
    if (!isGantryError(error)) throw error;
    return [error.code, error.message, ...(error.details ?? []).map(({ path, message }) => `${path}: ${message}`)];
  }
}

const create = (values: JsonObject, scope = open) => outcome(content.writer.create(scope, typeOf('page'), values));
const update = (values: JsonObject, scope = open) =>
  outcome(content.writer.update(scope, typeOf('page'), '1', values, {}));
const stored = () => content.rows('SELECT code, title, secret FROM workshop_page ORDER BY id');

describe('a hook before writes', () => {
  it('sees valid values as code of plugins has them, and the item before a change', async () => {
    await create({ code: 'a', price: 12.5, tags: [2, 1], main: 1 });
    await update({ title: 'One', price: 13, main: null });
    await update({ title: 'One' });
    const common = { type: 'page', signal: expect.anything() as AbortSignal };
    const none = { id: undefined, current: undefined };
    expect(seen).toEqual([
      { ...common, ...none, action: 'create', values: { code: 'a', price: 12.5, tags: ['2', '1'], main: '1' } },
      {
        ...common,
        ...{ action: 'update', id: '1', values: { title: 'One', price: 13, main: null } },
        current: {
          code: 'a',
          title: null,
          price: 12.5,
          reason: null,
          secret: null,
          tags: ['2', '1'],
          main: '1',
          mood: null,
        },
      },
    ]);
    expect(seen.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('refuses by field', async () => {
    before = ({ values }) =>
      values['title'] === 'bad' ? { problems: [{ field: 'title', message: 'title is bad' }] } : undefined;
    const refused = (action: string) => [
      'VALIDATION_FAILED',
      `Failed to ${action} Page: title is bad`,
      'title: title is bad',
    ];
    expect(await create({ code: 'a', title: 'bad' })).toEqual(refused('create'));
    await create({ code: 'a' });
    expect(await update({ title: 'bad' })).toEqual(refused('update'));
    expect(await stored()).toEqual([{ code: 'a', title: null, secret: null }]);
  });

  it('sets values, which are checked like those of a request', async () => {
    before = ({ values: { secret } }) => ({
      values: JSON.parse(typeof secret === 'string' ? secret : '{}') as JsonObject,
    });
    const set = (values: JsonObject) => ({ code: 'a', secret: JSON.stringify({ ...values, secret: 'set' }) });
    expect(await create(set({ title: 'Set', price: '3', tags: ['2'], main: 1 }))).toMatchObject({
      ...{ code: 'a', title: 'Set', price: 3, secret: 'set', createdBy: '7' },
      ...{ tags: [{ id: 2 }], main: { id: 1 } },
    });
    for (const [values, name] of [
      [{ title: 'a title that is too long' }, 'title'],
      [{ title: 'closed' }, 'reason'],
      [{ main: 9 }, 'main'],
      [{ tags: ['9'] }, 'tags'],
      [{ code: null }, 'code'],
      [{ other: 1 }, 'other'],
    ] as const) {
      const refused = ['VALIDATION_FAILED', expect.anything(), expect.stringMatching(`^${name}: `)];
      expect(await create(set(values))).toEqual(refused);
      expect(await update({ secret: JSON.stringify(values) })).toEqual(refused);
    }
    expect(await stored()).toHaveLength(1);
  });

  it('leaves a value that the item has and that a change then asks for', async () => {
    await create({ code: 'a', reason: 'Moved' });
    expect(await update({ title: 'closed' })).toMatchObject({ title: 'closed', reason: 'Moved' });
    before = () => ({ values: { reason: null } });
    const refused = ['VALIDATION_FAILED', expect.any(String), 'reason: reason is required if title is closed'];
    expect(await update({ price: 3 })).toEqual(refused);
    expect(await update({ title: 'open' })).toMatchObject({ title: 'open', reason: null });
  });

  it('sees and sets no more than the writer', async () => {
    await create({ code: 'a', secret: 'hidden' });
    seen = [];
    await update({ title: 'One' }, limited);
    expect(seen.map(({ current, values }) => [current?.['secret'], values])).toEqual([[undefined, { title: 'One' }]]);
    const refused = (name: string) => ['VALIDATION_FAILED', expect.anything(), expect.stringMatching(`^${name}: `)];
    before = () => ({ values: { secret: 'set' } });
    expect(await update({ title: 'Two' }, limited)).toEqual(refused('secret'));
    before = () => ({ values: { reason: 'set' } });
    expect(await update({ title: 'Two' }, limited)).toEqual(refused('reason'));
    expect(await create({ code: 'b' }, limited)).toEqual(refused('reason'));
    before = () => ({ problems: [{ field: 'secret', message: 'no' }] });
    expect(await update({ title: 'Two' }, limited)).toEqual(['VALIDATION_FAILED', 'Failed to update Page: no', ': no']);
  });

  it('sees and sets no more of items that a deletion changes', async () => {
    const [{ id } = {}] = await content.rows(
      "INSERT INTO workshop_tag (name, created_at, updated_at) VALUES ('C', now(), now()) RETURNING id::text",
    );
    expect(await create({ code: 'a', secret: 'hidden', mood: Number(id) })).toMatchObject({ mood: { id: Number(id) } });
    seen = [];
    const remove = () => content.writer.remove(limited, typeOf('tag', limited), String(id), { confirmed: 'all' });
    before = () => ({ values: { secret: 'set' } });
    await expect(remove()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'secret' }] });
    before = () => ({ problems: [{ field: 'mood', message: 'mood is needed' }] });
    await expect(remove()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'mood' }] });
    before = () => ({ values: { title: 'moodless' } });
    await remove();
    expect(seen.map(({ current, values }) => [current?.['secret'], current?.['mood'], values])).toEqual(
      Array.from({ length: 3 }, () => [undefined, id, { mood: null }]),
    );
    expect(await stored()).toEqual([{ code: 'a', title: 'moodless', secret: 'hidden' }]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('It fails.'))],
    ['never decides', () => new Promise<undefined>(() => undefined)],
    ['gives what is no decision', () => 'yes' as never],
    ['gives problems that are none', () => ({ problems: ['no'] }) as never],
  ])('that %s keeps the item from being written, and is in the log', async (_what, decide) => {
    await create({ code: 'a' });
    before = decide;
    expect(await update({ title: 'One' })).toEqual(['UNAVAILABLE', expect.stringContaining('the plugin guard')]);
    expect(await stored()).toEqual([{ code: 'a', title: null, secret: null }]);
    expect(logger.lines.at(-1)).toMatchObject({ fields: { plugin: 'guard', type: 'page' } });
  });

  it('changes nothing by what it does to the values that it gets', async () => {
    await create({ code: 'a', tags: [1] });
    before = ({ values, current }) => {
      for (const one of [values['tags'], current?.['tags']]) {
        if (Array.isArray(one)) one.push('none');
      }
      return undefined;
    };
    expect(await update({ tags: [2, 1] })).toEqual(['UNAVAILABLE', expect.stringContaining('the plugin guard')]);
    before = ({ values }) => void Reflect.set(values, 'title', 'changed');
    expect(await update({ tags: [2] })).toMatchObject({ title: null, tags: [{ id: 2 }] });
  });

  it.each([
    ['id', '7'],
    ['version', 9],
    ['createdAt', '2020-01-01T00:00:00Z'],
    ['createdBy', '9'],
    ['title', Symbol('title')],
    ['title', 10n],
    ['title', () => 'title'],
    ['price', Number.NaN],
    ['price', {}],
    ['price', new Date(Number.NaN)],
    ['tags', 'none'],
    ['tags', [null]],
    ['tags', { 0: '1' }],
    ['main', '1 OR true'],
  ])('cannot set %s to %p', async (name, value) => {
    before = () => ({ values: { [name]: value } as never });
    expect(await create({ code: 'a' })).toEqual([
      'VALIDATION_FAILED',
      expect.anything(),
      expect.stringMatching(`^${name}`),
    ]);
    expect(await stored()).toEqual([]);
  });

  it('whose decision cannot be read keeps the item from being written', async () => {
    const broken = (): never => {
      throw new Error('It cannot be read.');
    };
    const decisions: readonly object[] = [
      Object.defineProperty({}, 'values', { get: broken, enumerable: true }),
      { values: Object.defineProperty({}, 'title', { get: broken, enumerable: true }) },
      { values: { title: { toString: broken, toJSON: broken } } },
      { problems: [Object.defineProperty({ field: 'title' }, 'message', { get: broken, enumerable: true })] },
    ];
    for (const decision of decisions) {
      before = () => decision as never;
      const found = (await create({ code: 'a' })) as readonly unknown[];
      expect(['UNAVAILABLE', 'VALIDATION_FAILED']).toContain(found[0]);
    }
    expect(await stored()).toEqual([]);
  });

  it('that writes items for which it is asked again fails, and what it has begun ends', async () => {
    const begun: Promise<unknown>[] = [];
    before = async () => {
      const inner = content.writer.create(open, typeOf('page'), { code: `inner ${begun.length}` });
      begun.push(inner);
      await inner;
      return undefined;
    };
    expect(await create({ code: 'a' })).toEqual(['UNAVAILABLE', expect.stringContaining('the plugin guard')]);
    // The first one gave up when its time was over; others within it have begun later.
    for (const inner of begun) await inner.catch(() => undefined);
    expect(begun.length).toBeLessThan(10);
    expect(await stored()).toEqual([]);
  });

  it('is asked in imports, for each row, and refuses each for itself', async () => {
    before = ({ values }) =>
      values['title'] === 'bad'
        ? { problems: [{ field: 'title', message: 'title is bad' }] }
        : { values: { secret: 'set' } };
    const rows = [{ code: 'a' }, { code: 'b', title: 'bad' }, { code: 'c' }];
    const type = typeOf('page');
    const outcomes = await content.bulk.transaction(
      open,
      async (transaction) => ({
        keep: true,
        result: [
          ...(await transaction.insert(
            type,
            rows.map((row) => parseNewItem(type, row)),
          )),
          ...(await transaction.update(type, [
            { id: '1', values: parsePayload(type.descriptor, { title: 'bad' }, 'update').values },
          ])),
        ],
      }),
      new AbortController().signal,
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['written', 'refused', 'written', 'refused']);
    expect(outcomes[1]).toMatchObject({ problems: [{ path: 'title', message: 'title is bad' }] });
    expect((await stored()).map(({ code, secret }) => [code, secret])).toEqual([
      ['a', 'set'],
      ['c', 'set'],
    ]);
  });

  it('is not asked while its plugin is not in use', async () => {
    isServed = false;
    await create({ code: 'a' });
    expect([seen, after]).toEqual([[], []]);
  });
});

describe('a hook after writes', () => {
  it('gets what was committed, and nothing else', async () => {
    await create({ code: 'a', title: 'One' });
    expect(after.splice(0)).toEqual([{ type: 'page', action: 'create', id: '1', values: { code: 'a', title: 'One' } }]);
    await create({ code: 'a' });
    expect(after).toEqual([]);
    const kept = content.writer.transaction(open, async ({ writer }) => {
      await writer.update(open, typeOf('page'), '1', { title: 'Two' }, {});
      await expect(writer.create(open, typeOf('page'), { code: 'a' })).rejects.toMatchObject({ code: 'CONFLICT' });
      await writer.create(open, typeOf('page'), { code: 'b' });
      expect(after).toEqual([]);
    });
    await kept;
    expect(after.splice(0).map(({ action, id }) => [action, id])).toEqual([
      ['update', '1'],
      ['create', expect.any(String)],
    ]);
    const undone = content.writer.transaction(open, async ({ writer }) => {
      await writer.update(open, typeOf('page'), '1', { title: 'Three' }, {});
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(after).toEqual([]);
  });

  it('is called for at most 16 rows at a time after an import', async () => {
    const type = typeOf('page');
    const rows = Array.from({ length: 60 }, (_, index) => parseNewItem(type, { code: `row ${index}` }));
    let running = 0;
    const counts: number[] = [];
    slowAfter = async () => {
      counts.push((running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    };
    const work = async (transaction: BulkTransaction) => ({ keep: true, result: await transaction.insert(type, rows) });
    await content.bulk.transaction(open, work, new AbortController().signal);
    await eventually(() => counts.length === 60);
    expect(Math.max(...counts)).toBe(16);
  });

  it('is not called where its plugin went out of use meanwhile', async () => {
    before = () => {
      isServed = false;
    };
    await create({ code: 'a' });
    expect(await stored()).toHaveLength(1);
    expect(after).toEqual([]);
  });

  it('that throws is in the log, and the write stays', async () => {
    expect(await create({ code: 'a', title: 'after fails' })).toMatchObject({ title: 'after fails' });
    expect(logger.lines.at(-1)).toMatchObject({ fields: { plugin: 'guard', type: 'page', item: '1' } });
  });
});
