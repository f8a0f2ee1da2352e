import { BaseItem, Field, ItemType, type ItemStore, type ItemTypeClass } from '@gantry/plugin-api';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';
import { emptyTables } from '../../../../test/support/empty-tables';

@ItemType({ unique: [['owner']] })
class Account extends BaseItem {
  @Field({ displayName: 'Owner', required: true, searchable: true }) declare owner: string;
  @Field({ displayName: 'Active', type: 'BOOLEAN' }) declare active: boolean | null;
}

let content: OpenTypes;
let items: ItemStore;

beforeAll(async () => {
  content = await openTypes([Account] as unknown as readonly ItemTypeClass[]);
  items = content.items('workshop');
});

beforeEach(() => content.rows(emptyTables('workshop_%')));

afterAll(() => content.close());

/** As JavaScript sees them. */
type Loose = Readonly<Record<LooseName, (...values: readonly unknown[]) => Promise<unknown>>>;
type LooseName = 'create' | 'update' | 'count' | 'list' | 'upsert' | 'createIfAbsent' | 'removeWhere' | 'transaction';

describe('arguments that cannot be read', () => {
  it.each<readonly [string, (accounts: Loose) => Promise<unknown>]>([
    ['no values', (accounts) => accounts.create(null)],
    ['a map for values', (accounts) => accounts.create(new Map([['owner', 'Ada']]))],
    ['no change', (accounts) => accounts.update('1', null)],
    ['a date for a change', (accounts) => accounts.update('1', new Date())],
    ['a map for criteria', (accounts) => accounts.count(new Map([['owner', 'Ada']]))],
    ['an unknown option of a list', (accounts) => accounts.list({}, { offset: 5 })],
    ['an unknown option of an update', (accounts) => accounts.update('1', {}, { expectVersion: 1 })],
    ['null for options', (accounts) => accounts.list({}, null)],
    ['a version that is not a number', (accounts) => accounts.update('1', {}, { expectedVersion: Number.NaN })],
    ['no key', (accounts) => accounts.upsert({ owner: 'Ada' })],
    ['a key that names no text', (accounts) => accounts.createIfAbsent({ owner: 'Ada' }, { by: [Symbol('owner')] })],
    ['a comparison that the field has not', (accounts) => accounts.removeWhere({ active: { lessThan: false } })],
  ])('are refused, and nothing is written: %s', async (_case, use) => {
    await items.of(Account).create({ owner: 'Before', active: false });

    await expect(use(items.of(Account) as unknown as Loose)).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    expect(await content.rows('SELECT owner, version FROM workshop_account')).toEqual([
      { owner: 'Before', version: 1 },
    ]);
  });

  it('refuse a transaction without a function', async () => {
    const loose = items as unknown as Loose;
    await expect(loose.transaction(undefined)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
