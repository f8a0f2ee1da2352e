import { BaseItem, Field, ItemType, type ItemStore, type ItemTypeClass, type Related } from '@gantry/plugin-api';
import { BeforeCreate, BeforeUpdate, DataType } from 'sequelize-typescript';
import { createItemStore } from '../../src/plugin-items/create-item-store';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';
import { emptyTables } from '../../../../test/support/empty-tables';

@ItemType({ unique: [['owner']] })
class Account extends BaseItem {
  @Field({ displayName: 'Owner', required: true, searchable: true, maxLength: 20 }) declare owner: string;
  @Field({ displayName: 'State', required: true, options: ['OPEN', 'PAID'], default: 'OPEN' }) declare state?: string;
  @Field({ displayName: 'Amount', type: 'NUMBER', column: DataType.DECIMAL(30, 4) }) declare amount: string | null;
  @Field({ displayName: 'Total', type: 'NUMBER', column: DataType.BIGINT }) declare total: string | null;
  @Field({ displayName: 'Count', type: 'NUMBER', column: DataType.INTEGER }) declare count: number | null;
  @Field({ displayName: 'Ratio', type: 'NUMBER' }) declare ratio: number | null;
  @Field({ displayName: 'Active', type: 'BOOLEAN' }) declare active: boolean | null;
}

@ItemType({ readOnly: true, unique: [['key', 'state']] })
class Entry extends BaseItem {
  @Field({ displayName: 'Key', required: true }) declare key: string;
  @Field({ displayName: 'State', required: true, default: 'OPEN' }) declare state?: string;
  @Field({ displayName: 'Account', type: 'REFERENCE', targetEntity: () => Account as ItemTypeClass })
  declare account: Related<Account> | null;
  @Field({
    displayName: 'Others',
    type: 'REFERENCE',
    targetEntity: () => Account as ItemTypeClass,
    cardinality: 'MULTIPLE',
  })
  declare others: readonly Account[];
}

/** A model with hooks, whose writes go through Sequelize. */
@ItemType({ unique: [['code']] })
class Guarded extends BaseItem {
  @Field({ displayName: 'Code', required: true }) declare code: string;
  @Field({ displayName: 'State' }) declare state: string | null;

  @BeforeCreate
  @BeforeUpdate
  static check(item: Guarded): void {
    if (item.code === 'refused') throw new Error('this code is refused by the house rules');
    if (item.state !== null) item.state = item.state.toUpperCase();
  }
}

let content: OpenTypes;
let items: ItemStore;

beforeAll(async () => {
  content = await openTypes([Account, Entry, Guarded] as unknown as readonly ItemTypeClass[]);
  items = content.items('workshop');
});

beforeEach(() => content.rows(emptyTables('workshop_%')));

afterAll(() => content.close());

/** Runs an operation twenty times at once, which is more than there are connections. */
function twentyTimes<T>(operation: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: 20 }, (_, index) => operation(index)));
}

describe('reading', () => {
  it('gives values as the class declares them', async () => {
    const created = await items.of(Account).create({
      owner: 'Ada',
      amount: '12345678901234567890.5',
      total: '9007199254740993',
      count: 7,
      ratio: 0.25,
      active: true,
    });

    expect(created).toEqual({
      id: '1',
      owner: 'Ada',
      state: 'OPEN',
      amount: '12345678901234567890.5000',
      total: '9007199254740993',
      count: 7,
      ratio: 0.25,
      active: true,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      version: 1,
    });
    expect(Object.isFrozen(created)).toBe(true);
    expect(await items.of(Account).get(created.id)).toEqual(created);
    expect(await items.of(Account).find({ owner: 'Ada' })).toEqual(created);
  });

  it('gives references as ids', async () => {
    const accounts = await Promise.all(['Ada', 'Bo', 'Cy'].map((owner) => items.of(Account).create({ owner })));
    const [ada = '', bo = '', cy = ''] = accounts.map(({ id }) => id);

    const entry = await items.of(Entry).create({ key: 'a', account: ada, others: [cy, bo] });

    expect(entry).toMatchObject({ account: ada, others: [cy, bo] });
    expect(await items.of(Entry).find({ account: ada })).toEqual(entry);
    expect(await items.of(Entry).find({ others: bo })).toEqual(entry);
    expect(await items.of(Entry).find({ others: ada })).toBeUndefined();
  });

  it('gives undefined for an item that does not exist', async () => {
    expect(await items.of(Account).get('4711')).toBeUndefined();
    expect(await items.of(Account).get('no id')).toBeUndefined();
    expect(await items.of(Account).find({ owner: 'nobody' })).toBeUndefined();
  });

  it('lists page by page', async () => {
    for (let count = 1; count <= 5; count += 1) await items.of(Account).create({ owner: `o${count}`, count });
    const names = (page: { readonly items: readonly { readonly owner: string }[] }) =>
      page.items.map(({ owner }) => owner);

    const first = await items.of(Account).list({ count: { moreThan: 1 } }, { limit: 3, sort: 'owner' });
    expect(names(first)).toEqual(['o2', 'o3', 'o4']);
    const { nextCursor } = first;
    const second = await items
      .of(Account)
      .list({ count: { moreThan: 1 } }, { limit: 3, sort: 'owner', after: nextCursor ?? '' });
    expect([names(second), second.nextCursor]).toEqual([['o5'], undefined]);
    expect(await items.of(Account).count({ count: { moreThan: 1 } })).toBe(4);
  });

  it.each([
    [{ owner: 'Ada' }, ['Ada']],
    [{ owner: { contains: 'A' } }, ['Ada', 'Max']],
    [{ owner: '' }, []],
    [{ amount: { moreThan: '10', lessThan: '100' } }, ['Max']],
    [{ amount: null }, ['Bo']],
    [{ amount: { equals: '5.00' } }, ['Ada']],
    [{ amount: { notEquals: '5' } }, ['Max', 'Bo']],
    [{ amount: { in: ['5', '50.00'] } }, ['Ada', 'Max']],
    [{ amount: { between: ['5', '49.99'] as const } }, ['Ada']],
    [{ amount: { empty: true } }, ['Bo']],
    [{ owner: { startsWith: 'a' } }, ['Ada']],
    [{ active: true, owner: 'Ada' }, ['Ada']],
    [{ active: false }, []],
    [{ id: '2' }, ['Max']],
    [{}, ['Ada', 'Max', 'Bo']],
  ])('by %j finds %j', async (criteria, owners) => {
    await items.of(Account).create({ owner: 'Ada', amount: '5', active: true });
    await items.of(Account).create({ owner: 'Max', amount: '50', active: true });
    await items.of(Account).create({ owner: 'Bo' });

    const { items: found } = await items.of(Account).list(criteria, { sort: 'id' });
    expect(found.map(({ owner }) => owner)).toEqual(owners);
  });

  it.each([
    [{ nothing: 'x' }, / Account: nothing /],
    [{ owner: undefined }, / owner .*undefined/],
    [{ owner: { endsWith: 'x' } }, / endsWith .*operator .* owner/],
    [{ amount: { startsWith: '5' } }, / amount .* startsWith/],
    [{ owner: { in: 'Ada' } }, / owner .* list /],
    [{ amount: { between: ['1'] } }, / amount .* two values/],
    [{ owner: {} }, / owner .* no value/],
    [{ amount: 'many' }, / amount .* number/],
    [{ owner: ['x'] }, / owner .* not a text,/],
    ['owner', /criteria must be an object/],
    [{ owner: { contains: 'x'.repeat(100_001) } }, / owner .* 100000 /],
  ])('refuses the criteria %#', async (criteria, named) => {
    await expect(items.of(Account).list(criteria as object)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(named),
    });
  });
});

describe('writing', () => {
  it('validates as a request does', async () => {
    const long = items.of(Account).create({ owner: 'x'.repeat(21), nothing: 1 } as never);
    await expect(long).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        { path: 'nothing', code: 'UNKNOWN_FIELD' },
        { path: 'owner', code: 'TOO_LONG' },
      ],
    });
    await items.of(Account).create({ owner: 'Ada' });
    await expect(items.of(Account).create({ owner: 'Ada' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(items.of(Entry).create({ key: 'a', account: '4711' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'account', code: 'REFERENCE_NOT_FOUND' }],
    });
    await expect(items.of(Guarded).create({ code: 'refused' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await items.of(Guarded).create({ code: 'a', state: 'open' })).toMatchObject({ state: 'OPEN' });
    // The hook sees null for what is left out.
    expect(await items.of(Guarded).create({ code: 'b' })).toMatchObject({ state: null });
  });

  it('updates the fields that are given, of the version that is expected', async () => {
    const { id } = await items.of(Account).create({ owner: 'Ada', count: 1 });

    const changed = await items.of(Account).update(id, { count: 2, active: undefined }, { expectedVersion: 1 });
    expect(changed).toMatchObject({ owner: 'Ada', count: 2, version: 2 });
    expect(await items.of(Account).update(id, { count: 2 })).toMatchObject({ version: 2 });
    await expect(items.of(Account).update(id, { count: 3 }, { expectedVersion: 1 })).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
    });
    await expect(items.of(Account).update('4711', { count: 3 })).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' });
  });

  it('removes items and gives them as they were', async () => {
    const ada = await items.of(Account).create({ owner: 'Ada' });
    const bo = await items.of(Account).create({ owner: 'Bo' });
    const entry = await items.of(Entry).create({ key: 'a', account: ada.id });

    await expect(items.of(Account).remove(ada.id)).rejects.toMatchObject({ code: 'ITEM_REFERENCED' });
    await expect(items.of(Account).remove(bo.id, { expectedVersion: 9 })).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
    });
    expect(await items.of(Entry).remove(entry.id)).toEqual(entry);
    await expect(items.of(Entry).remove(entry.id)).rejects.toMatchObject({ code: 'ITEM_NOT_FOUND' });
    expect(await items.of(Account).removeWhere({ state: 'OPEN' })).toEqual([ada, bo]);
    expect(await items.of(Account).count({})).toBe(0);
  });

  it('lets only the plugin that has a read-only type write it', async () => {
    const others = content.items('other').of(Entry);
    const { id } = await items.of(Entry).create({ key: 'a' });

    const refused = { code: 'METHOD_NOT_ALLOWED' };
    await expect(others.create({ key: 'b' })).rejects.toMatchObject(refused);
    await expect(others.createIfAbsent({ key: 'b' }, { by: ['key', 'state'] })).rejects.toMatchObject(refused);
    await expect(others.update(id, { key: 'b' })).rejects.toMatchObject(refused);
    await expect(others.updateWhere({ id }, { key: 'b' })).rejects.toMatchObject(refused);
    await expect(others.upsert({ key: 'b' }, { by: ['key', 'state'] })).rejects.toMatchObject(refused);
    await expect(others.remove(id)).rejects.toMatchObject(refused);
    await expect(others.removeWhere({ id })).rejects.toMatchObject(refused);
    expect(await others.get(id)).toMatchObject({ key: 'a' });
  });

  it('takes no class that is no item type, and no items before the plugins are linked', async () => {
    await expect(items.of(BaseItem).count({})).rejects.toMatchObject({ code: 'TYPE_NOT_FOUND' });
    const early = createItemStore({ plugin: 'workshop', access: () => undefined }).of(Account);
    await expect(early.count({})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('writing by criteria', () => {
  it('changes all that meet them and gives those that it changed', async () => {
    for (const [owner, count] of Object.entries({ a: 1, b: 2, c: 3 })) await items.of(Account).create({ owner, count });

    const changed = await items.of(Account).updateWhere({ count: { moreThan: 1 } }, { count: 3 });
    expect(changed).toMatchObject([{ owner: 'b', count: 3, version: 2 }]);
    expect(await items.of(Account).updateWhere({ owner: 'a' }, { count: 1 })).toEqual([]);
    expect(await items.of(Account).updateWhere({ owner: 'a', count: 9 }, { count: 1 })).toEqual([]);
    expect(await items.of(Account).updateWhere({ owner: 'a', amount: null }, { amount: 5 as never })).toMatchObject([
      { amount: '5.0000' },
    ]);
  });

  it('refuses to change or remove everything, or more than a thousand items', async () => {
    await content.rows(
      `INSERT INTO workshop_account (owner, state) SELECT 'o' || n, 'OPEN' FROM generate_series(1, 1001) n`,
    );

    const refused = { code: 'BAD_REQUEST' };
    await expect(items.of(Account).updateWhere({}, { state: 'PAID' })).rejects.toMatchObject(refused);
    await expect(items.of(Account).removeWhere({})).rejects.toMatchObject(refused);
    await expect(items.of(Account).updateWhere({ state: 'OPEN' }, { state: 'PAID' })).rejects.toMatchObject(refused);
    await expect(items.of(Account).removeWhere({ state: 'OPEN' })).rejects.toMatchObject(refused);
    expect(await items.of(Account).count({ state: 'OPEN' })).toBe(1001);
  });

  it('changes none when one of them cannot be changed', async () => {
    for (const code of ['a', 'b']) await items.of(Guarded).create({ code, state: 'x' });
    await expect(items.of(Guarded).updateWhere({ state: 'X' }, { code: 'c' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await items.of(Guarded).count({ code: 'c' })).toBe(0);
  });

  it.each([
    ['in one statement', Account, { owner: 'Ada', state: 'OPEN' }],
    ['without a key', Account, { count: 1, state: 'OPEN' }],
  ])('lets one of twenty callers take an item out of them, %s', async (_how, type, criteria) => {
    await items.of(type).create({ owner: 'Ada', count: 1 });

    const taken = await twentyTimes((index) =>
      items.of(type).updateWhere(criteria, { state: 'PAID', total: String(index) }),
    );
    expect(taken.flat()).toHaveLength(1);
    expect(await items.of(type).find({ owner: 'Ada' })).toEqual(taken.flat()[0]);
  });

  it('lets one of twenty callers take an item with hooks out of them', async () => {
    await items.of(Guarded).create({ code: 'a', state: 'OPEN' });
    const taken = await twentyTimes(() =>
      items.of(Guarded).updateWhere({ code: 'a', state: 'OPEN' }, { state: 'paid' }),
    );
    expect(taken.flat()).toMatchObject([{ state: 'PAID', version: 2 }]);
  });
});

describe('writing by a key', () => {
  it('creates an item once for many callers', async () => {
    const outcomes = await twentyTimes((count) =>
      items.of(Account).createIfAbsent({ owner: 'Ada', count }, { by: ['owner'] }),
    );

    const created = outcomes.filter((outcome) => outcome.created);
    expect(created).toHaveLength(1);
    expect(new Set(outcomes.map(({ item }) => item.count))).toEqual(new Set([created[0]?.item.count]));
    expect(await items.of(Account).count({})).toBe(1);
  });

  it('creates an item with hooks once for many callers', async () => {
    const outcomes = await twentyTimes(() => items.of(Guarded).createIfAbsent({ code: 'a' }, { by: ['code'] }));
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(await items.of(Guarded).count({})).toBe(1);
  });

  it('creates or changes an item for many callers', async () => {
    const outcomes = await twentyTimes((count) => items.of(Account).upsert({ owner: 'Ada', count }, { by: ['owner'] }));
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(await items.of(Account).list({})).toMatchObject({ items: [{ owner: 'Ada', version: 20 }] });

    const guarded = await twentyTimes((index) =>
      items.of(Guarded).upsert({ code: 'a', state: `s${index}` }, { by: ['code'] }),
    );
    expect(guarded.filter(({ created }) => created)).toHaveLength(1);
    expect(await items.of(Guarded).list({})).toMatchObject({ items: [{ code: 'a', version: 20 }] });
  });

  it('says what an upsert did', async () => {
    const upsert = (count: number) => items.of(Account).upsert({ owner: ' Ada ', count }, { by: ['owner'] });
    expect(await upsert(1)).toMatchObject({ created: true, changed: true, item: { owner: 'Ada', count: 1 } });
    expect(await upsert(2)).toMatchObject({ created: false, changed: true, item: { count: 2, version: 2 } });
    expect(await upsert(2)).toMatchObject({ created: false, changed: false, item: { count: 2, version: 2 } });
  });

  it('refuses fields that are no key, and a key without a value', async () => {
    await expect(items.of(Account).upsert({ owner: 'Ada' }, { by: ['count'] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^Account .*\[count\].* \[owner\]/),
    });
    await expect(items.of(Entry).createIfAbsent({ key: 'a' }, { by: ['key'] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await items.of(Entry).createIfAbsent({ key: 'a' }, { by: ['state', 'key'] })).toMatchObject({
      created: true,
    });
    await expect(items.of(Account).createIfAbsent({ count: 1 } as never, { by: ['owner'] })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('a transaction', () => {
  it('keeps everything or nothing', async () => {
    const failing = items.transaction(async (inside) => {
      const { id } = await inside.of(Account).create({ owner: 'Ada' });
      await inside.of(Entry).create({ key: 'a', account: id, others: [id] });
      expect(await inside.of(Entry).find({ account: id })).toMatchObject({ key: 'a' });
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    expect(await items.of(Account).count({})).toBe(0);

    const kept = await items.transaction(async (inside) => {
      const { item } = await inside.of(Account).createIfAbsent({ owner: 'Ada' }, { by: ['owner'] });
      await inside.of(Account).updateWhere({ owner: 'Ada' }, { count: 2 });
      await inside.of(Guarded).upsert({ code: 'g', state: 'x' }, { by: ['code'] });
      return inside.of(Entry).create({ key: 'a', account: item.id });
    });
    expect(await items.of(Entry).list({})).toMatchObject({ items: [kept] });
    expect(await items.of(Account).list({})).toMatchObject({ items: [{ count: 2, version: 2 }] });
    expect(await items.of(Guarded).count({ state: 'X' })).toBe(1);
  });

  it('continues after an operation that failed', async () => {
    await items.of(Account).create({ owner: 'Ada' });
    await items.transaction(async (inside) => {
      await expect(inside.of(Account).create({ owner: 'Ada' })).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(inside.of(Entry).create({ key: 'a', account: '4711' })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
      await expect(inside.of(Guarded).create({ code: 'refused' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      await Promise.all(['b', 'c', 'd'].map((owner) => inside.of(Account).create({ owner })));
    });
    expect(await items.of(Account).count({})).toBe(4);
  });

  it('holds at most four connections for a plugin, so that writes of others continue', async () => {
    const ends: (() => void)[] = [];
    const hold = () => items.transaction(() => new Promise<void>((resolve) => void ends.push(resolve)));
    const open = Array.from({ length: 12 }, hold);
    await content.items('others').of(Account).create({ owner: 'Ada' });
    while (ends.length < 4) await new Promise((resolve) => void setImmediate(resolve));
    expect(ends).toHaveLength(4);

    for (let ended = 0; ended < open.length; ended += 1) {
      while (ends.length <= ended) await new Promise((resolve) => void setImmediate(resolve));
      ends[ended]?.();
    }
    await Promise.all(open);
  });

  it('takes no operation after its end', async () => {
    const inside = await items.transaction((given) => Promise.resolve(given));
    await expect(inside.of(Account).count({})).rejects.toThrow(/transaction has ended/);
    await expect(inside.tryLock('a')).rejects.toThrow(/transaction has ended/);
  });

  it('takes locks by name until its end, which others do not get meanwhile', async () => {
    const inSql = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))';
    const taken = async (name: string) => (await content.database.query({ sql: inSql, values: [name] }))[0]?.[0];
    await items.transaction(async (inside) => {
      expect(await inside.tryLock('a', 'b')).toBe(true);
      expect(await inside.tryLock('a')).toBe(true);
      const others = items.transaction(async (other) => [await other.tryLock('c'), await other.tryLock('b', 'd')]);
      expect(await others).toEqual([true, false]);
      expect([await taken('a'), await taken('c')]).toEqual([false, true]);
    });
    expect(await taken('a')).toBe(true);
    await expect(items.transaction((inside) => inside.tryLock())).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('begins again after a deadlock', async () => {
    for (const owner of ['a', 'b']) await items.of(Account).create({ owner });
    let runs = 0;
    const both: (() => void)[] = [];
    /** Resolves when both have their first account. */
    const meet = () =>
      new Promise<void>((resolve) => {
        both.push(resolve);
        if (both.length >= 2) for (const go of both) go();
      });
    const change = (
      [first, second]: readonly [string, string],
      values: { readonly count?: number; readonly total?: string },
    ) =>
      items.transaction(async (inside) => {
        runs += 1;
        await inside.of(Account).updateWhere({ owner: first }, values);
        await meet();
        await inside.of(Account).updateWhere({ owner: second }, values);
      });
    await Promise.all([change(['a', 'b'], { count: 1 }), change(['b', 'a'], { total: '2' })]);
    expect(runs).toBeGreaterThan(2);
    expect(await items.of(Account).list({})).toMatchObject({
      items: [
        { count: 1, total: '2', version: 3 },
        { count: 1, total: '2', version: 3 },
      ],
    });
  });
});
