import { BaseItem, Field, ItemType, type ItemStore, type ItemTypeClass } from '@gantry/plugin-api';
import { BeforeCreate } from 'sequelize-typescript';
import { createCallingRequests, maxAfterEndMs } from '../../src/plugin-items/calling-requests';
import { createItemStore, type SystemScopeUse } from '../../src/plugin-items/create-item-store';
import { createOpenPolicy } from '../../src/policy/open-policy';
import { createRolePolicy } from '../../src/policy/role-policy';
import { userScope, type Scope } from '../../src/policy/scope';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

@ItemType()
class Memo extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;
  @Field({ displayName: 'Price' }) declare price: string | null;
}

/** Only its plugin writes it. */
@ItemType({ readOnly: true })
class Receipt extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;
}

/** With a hook, which runs while an item is created. */
@ItemType()
class Parcel extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;

  @BeforeCreate
  static async act(item: Parcel): Promise<void> {
    await hook?.(item);
  }
}

@ItemType()
class Hidden extends BaseItem {
  @Field({ displayName: 'Text' }) declare text: string | null;
}

let hook: ((item: Parcel) => Promise<void>) | undefined;

describe('the items of a plugin within a request', () => {
  const plugin = 'workshop';
  let content: OpenTypes;
  let items: ItemStore;
  let withoutReason: ItemStore;
  let now = 0;
  const requests = createCallingRequests(() => now);
  const uses: SystemScopeUse[] = [];
  const scopes = new Map<string, Scope>();

  beforeAll(async () => {
    content = await openTypes([Memo, Receipt, Parcel, Hidden] as unknown as readonly ItemTypeClass[]);
    const { repository, writer, types } = content;
    const where = [{ field: 'createdBy', operator: 'EQUALS', value: '$user.id' }] as const;
    for (const id of ['7', '8']) {
      const policy = createRolePolicy(
        types,
        [
          { on: { plugin, type: 'memo' }, actions: ['read', 'create'], readableFields: ['text'], where },
          { on: { plugin, type: 'receipt' }, actions: ['read', 'create', 'update', 'delete'] },
          { on: { plugin, type: 'parcel' }, actions: ['read'] },
        ],
        { id, login: `${id}@example.org` },
      );
      scopes.set(id, userScope(policy, id, `request of ${id}`));
    }
    const access = () => ({
      ...{ policy: createOpenPolicy(types), repository, writer },
      recordSystemScope: (use: SystemScopeUse) => void uses.push(use),
    });
    items = createItemStore({ plugin, systemScope: 'Counts all of them', access, requests });
    withoutReason = createItemStore({ plugin, access, requests });
    await items.of(Memo).create({ text: 'of the plugin', price: '1' });
  });
  beforeEach(() => {
    hook = undefined;
    uses.length = 0;
  });
  afterAll(async () => {
    requests.close();
    await content.close();
  });

  it('are those of its caller, with the fields and the authors', async () => {
    const collection = items.of(Memo);
    const own = await as('7', () => collection.create({ text: 'of 7' }));

    expect(await as('7', async () => (await collection.list({})).items)).toEqual([own]);
    expect(own).not.toHaveProperty('price');
    expect((await collection.list({})).items).toHaveLength(2);
    expect(await content.rows(`SELECT created_by FROM workshop_memo WHERE text = 'of 7'`)).toEqual([
      { created_by: '7' },
    ]);
    await expect(as('7', () => collection.update(own.id, { text: 'x' }))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('7', () => collection.count({ price: '1' }))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(as('7', () => items.of(Hidden).count({}))).rejects.toMatchObject({
      code: 'TYPE_NOT_FOUND',
      message: expect.stringContaining('hidden'),
    });
  });

  it('are those of its caller in a transaction, and none is kept of one that fails', async () => {
    const count = (): Promise<number> =>
      as('8', () =>
        items.transaction(async (inside) => {
          await inside.of(Memo).create({ text: 'first of 8' });
          return inside.of(Memo).count({});
        }),
      );
    expect(await count()).toBe(1);
    const failed = as('8', () =>
      items.transaction(async (inside) => {
        await inside.of(Memo).create({ text: 'second of 8' });
        await inside.of(Parcel).create({ text: 'no right' });
      }),
    );
    await expect(failed).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await as('8', () => items.of(Memo).count({}))).toBe(1);
  });

  it('are never those of another request at the same time', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? '7' : '8'));
    let arrived = 0;
    let open = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const authors = await Promise.all(
      ids.map((id) =>
        as(id, async () => {
          arrived += 1;
          if (arrived === ids.length) open();
          await all;
          await Promise.resolve();
          const memo = await items.of(Memo).create({ text: `at once, ${id}` });
          const [shown] = (await items.of(Memo).list({}, { sort: '-id', limit: 1 })).items;
          return [memo.text, shown?.text];
        }),
      ),
    );
    expect(authors).toEqual(ids.map((id) => [`at once, ${id}`, expect.stringContaining(id)]));
    const written = await content.rows(
      `SELECT text, created_by FROM workshop_memo WHERE text LIKE 'at once%' AND text <> 'at once, ' || created_by`,
    );
    expect(written).toEqual([]);
  });

  it('stay those of the caller in timers that it began, for a minute', async () => {
    const request = requestOf('7');
    const left = requests.run(request, () => afterTimer(() => items.of(Memo).list({})));
    request.endedAt = now;
    expect((await left).items.map(({ text }) => text)).not.toContain('of the plugin');

    const late = requests.run(request, () => afterTimer(() => items.of(Memo).list({})));
    now += maxAfterEndMs + 1;
    await expect(late).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(' 60 s '),
    });
    await expect(requests.run(request, () => items.asPlugin().of(Memo).count({}))).resolves.toBeGreaterThan(0);
    expect(uses).toHaveLength(1);
  });

  it('are read-only where the type is, also for administrators; the plugin writes it as itself', async () => {
    const administrator = userScope(createOpenPolicy(content.types), '1', 'request of 1');
    const asAdministrator = <T>(work: () => Promise<T>): Promise<T> =>
      requests.run({ scope: () => administrator, route: 'POST /receipts' }, work);
    for (const act of [asAdministrator, <T>(work: () => Promise<T>) => as('7', work)]) {
      await expect(act(() => items.of(Receipt).create({ text: 'a' }))).rejects.toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        message: expect.stringContaining('items.asPlugin()'),
      });
    }
    const { id } = await as('7', () => items.asPlugin().of(Receipt).create({ text: 'a' }));
    expect(await as('7', () => items.of(Receipt).get(id))).toMatchObject({ text: 'a' });
    await expect(items.of(Receipt).update(id, { text: 'b' })).resolves.toMatchObject({ text: 'b' });
  });

  it('are all items as the plugin, which is noted for each operation and transaction', async () => {
    const everything = items.asPlugin();
    const all = await everything.of(Memo).count({});
    expect(uses).toEqual([]);
    expect(await as('7', () => everything.of(Memo).count({}))).toBe(all);
    await as('7', () =>
      everything.transaction(async (inside) => {
        await inside.of(Memo).count({});
        await inside.of(Memo).count({});
      }),
    );
    const use = { plugin, route: 'POST /memos', reason: 'Counts all of them' };
    expect(uses).toEqual([use, use]);
  });

  it('are not all items without a reason in the manifest', async () => {
    const missing = { code: 'FORBIDDEN', message: expect.stringContaining('gantry.systemScope') };
    await expect(as('7', async () => withoutReason.asPlugin().of(Memo).count({}))).rejects.toMatchObject(missing);
    expect(() => withoutReason.asPlugin()).toThrow(expect.objectContaining(missing));
  });

  it('are those of the plugin in code that leaves the request, and again those of the caller afterwards', async () => {
    hook = (parcel) =>
      requests.leave(async () => {
        parcel.text = `${await items.of(Memo).count({})} memos`;
      });
    const [parcel, own] = await as('7', async () => [
      await items.asPlugin().of(Parcel).create({ text: null }),
      await items.of(Memo).count({}),
    ]);
    expect(parcel).toMatchObject({ text: `${await items.of(Memo).count({})} memos` });
    expect(own).toBeLessThan(await items.of(Memo).count({}));
  });

  function requestOf(id: string): Parameters<typeof requests.run>[0] {
    const scope = scopes.get(id);
    if (scope === undefined) throw new Error(id);
    return { scope: () => scope, route: 'POST /memos' };
  }

  function as<T>(id: string, work: () => Promise<T>): Promise<T> {
    return requests.run(requestOf(id), work);
  }

  function afterTimer<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      setTimeout(() => work().then(resolve, reject), 1);
    });
  }
});
