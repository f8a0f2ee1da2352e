import { BaseItem, definePlugin, Field, ItemType, type TypeEvent } from '@gantry/plugin-api';
import { linkDefinitions } from '../../src/composition/open-items';
import { purgePlugin } from '../../src/for-commands';
import { platformSchemas } from '../../src/modules';
import {
  bringUpToDate,
  createDatabase,
  createTypeEvents,
  type HostDatabase,
  type TypeEvents,
} from '@gantry/core-database';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

@ItemType()
class Item extends BaseItem {
  @Field({ displayName: 'Name' }) declare name: string;
}

@ItemType({ renamedFrom: 'item' })
class Product extends BaseItem {
  @Field({ displayName: 'Title', renamedFrom: 'name' }) declare title: string;
}

const empty = useEmptyDatabase();
const logger = createRecordedLogger();
let database: HostDatabase;
let events: TypeEvents;

beforeEach(async () => {
  database = createDatabase({ url: empty.database.url, logger });
  events = createTypeEvents(database.plugins);
  await start(Item);
});
afterEach(() => database.close());

async function start(type: typeof Item | typeof Product): Promise<void> {
  const { schemas } = linkDefinitions([definePlugin({ id: 'shop', itemTypes: [type] })]);
  const plugins = [...platformSchemas, ...schemas];
  const { failures } = await bringUpToDate({ databaseUrl: empty.database.url, plugins, logger });
  expect(failures).toEqual([]);
}

const purge = () => purgePlugin({ databaseUrl: empty.database.url, plugin: 'shop', actor: 'command' });

async function eventsFor(plugin: string): Promise<readonly TypeEvent[]> {
  const seen: TypeEvent[] = [];
  await events.deliver(plugin, async (event) => {
    seen.push(event);
  });
  return seen;
}

const renamed = {
  kind: 'renamed',
  plugin: 'shop',
  types: [{ type: 'product', earlierType: 'item', fields: [{ from: 'name', to: 'title' }] }],
};
const purged = { kind: 'purged', plugin: 'shop', types: ['item', 'product'] };

describe('events of item types', () => {
  it('reach a plugin that did not run, in order, and once', async () => {
    expect(await eventsFor('reader')).toEqual([]);
    await start(Product);
    expect(await eventsFor('other')).toEqual([renamed]);
    await purge();
    expect(await eventsFor('reader')).toEqual([renamed, purged]);
    expect(await eventsFor('reader')).toEqual([]);
    expect(await eventsFor('other')).toEqual([purged]);
    expect(await events.last()).toBe('2');
  });

  it('come again after a failure, of which nothing is kept', async () => {
    await start(Product);
    await database.plugins.query('CREATE TABLE kept (name text)');
    const failing = events.deliver('reader', async (_event, transaction) => {
      await transaction.query("INSERT INTO kept VALUES ('half')");
      throw new Error('It fails.');
    });
    await expect(failing).rejects.toThrow('It fails.');
    expect(await database.plugins.query('SELECT name FROM kept')).toEqual([]);
    expect(await eventsFor('reader')).toEqual([renamed]);
  });

  it('are handed over by one of several hosts', async () => {
    await start(Product);
    const seen = await Promise.all([eventsFor('reader'), eventsFor('reader'), eventsFor('reader')]);
    expect(seen.flat()).toEqual([renamed]);
  });

  it('keep rights from coming back with a name, also while no plugin runs', async () => {
    await empty.client.query(
      `INSERT INTO gantry_known_type (plugin, type, fields, removed_fields, returned) VALUES ('shop', 'item', '{name}', '{}', '{}');
       INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ('r', 'r', '',
         '[{"on":{"plugin":"shop","type":"item"},"actions":["read"],"readableFields":["name"]}]', '{}')`,
    );
    await start(Product);
    const grants = async () => (await empty.client.query('SELECT grants FROM gantry_role')).rows;
    const on = { plugin: 'shop', type: 'product' };
    expect(await grants()).toEqual([{ grants: [{ on, actions: ['read'], readableFields: ['title'] }] }]);
    await purge();
    await start(Item);
    await start(Product);
    expect(await grants()).toEqual([{ grants: [] }]);
  });

  it('undo a rename in which the owner of a table fails', async () => {
    const { schemas } = linkDefinitions([definePlugin({ id: 'shop', itemTypes: [Product] })]);
    const failing = {
      ...{ id: 'gantry', migrations: [], tables: [] },
      events: { renamed: () => Promise.reject(new Error('The owner fails.')) },
    };
    const plugins = [...platformSchemas, failing, ...schemas];
    const { failures } = await bringUpToDate({ databaseUrl: empty.database.url, plugins, logger });
    expect(failures).toMatchObject([{ plugin: 'shop', reason: expect.stringContaining('The owner fails.') }]);
    expect(await eventsFor('reader')).toEqual([]);
    expect((await empty.client.query("SELECT to_regclass('shop_item') IS NOT NULL AS found")).rows).toEqual([
      { found: true },
    ]);
  });
});
