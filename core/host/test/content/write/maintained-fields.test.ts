import { BaseItem, definePlugin, Field, ItemType, type ItemStore } from '@gantry/plugin-api';
import { itemMetadata } from '@gantry/core-content';
import { linkDefinitions, openItems, type OpenItems } from '../../../src/composition/open-items';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';

@ItemType()
class Dish extends BaseItem {
  @Field({ displayName: 'Name', required: true }) declare name: string;
}

class Rating {
  @Field({ displayName: 'Stars', type: 'NUMBER', column: 'NUMERIC(3,2)', searchable: true, maintained: true })
  declare stars: string;
  @Field({ displayName: 'Note' }) declare note: string;
}

const linked = linkDefinitions([
  definePlugin({ id: 'kitchen', itemTypes: [Dish] }),
  definePlugin({ id: 'ratings', extraFields: [{ type: () => Dish, fields: Rating }] }),
]);
const empty = useEmptyDatabase();
let opened: OpenItems;
beforeEach(async () => {
  opened = await openItems({ databaseUrl: empty.database.url, logger: createRecordedLogger(), linked });
});
afterEach(() => opened.close());

const dishes = (plugin: string) => ((store: ItemStore) => store.of(Dish).with('ratings', Rating))(opened.of(plugin));

describe('a field that its plugin maintains', () => {
  it('is read and found by, and its writes make no version and no change', async () => {
    const { id } = await dishes('kitchen').create({ name: 'Soup', ratings$note: 'good' });
    await dishes('ratings').maintain(id, { ratings$stars: '4.50' });
    const found = await dishes('kitchen').find({ ratings$stars: { moreThan: '4' } });
    expect(found).toMatchObject({ id, version: 1, ratings$stars: '4.50', ratings$note: 'good' });
    const { rows } = await empty.client.query('SELECT action FROM gantry_change');
    expect(rows).toEqual([{ action: 'created' }]);
    expect((await dishes('kitchen').update(id, { name: 'Stew' }, { expectedVersion: 1 })).version).toBe(2);
  });

  it('is read-only for everybody, and refused from other plugins', async () => {
    const { id } = await dishes('kitchen').create({ name: 'Soup' });
    await expect(dishes('kitchen').update(id, { ratings$stars: '1' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await expect(dishes('kitchen').maintain(id, { ratings$stars: '1' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(dishes('ratings').maintain(id, { ratings$note: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(dishes('ratings').maintain(id, { ratings$stars: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'ratings$stars' }],
    });
    const [type] = linked.types.map(({ descriptor }) => itemMetadata(descriptor));
    expect(type?.fields.find(({ name }) => name === 'ratings$stars')).toMatchObject({ readOnly: true });
  });
});
