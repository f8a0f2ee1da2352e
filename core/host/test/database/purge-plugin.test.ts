import { BaseItem, definePlugin, Field, ItemType, type Related } from '@gantry/plugin-api';
import { linkDefinitions } from '../../src/composition/open-items';
import { purgePlugin, readPluginSurvey } from '../../src/for-commands';
import { bringUpToDate, type PluginSchema } from '@gantry/core-database';
import { identitySchema } from '@gantry/core-identity/commands';
import { subscriptionSchema } from '@gantry/core-webhooks/commands';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

const empty = useEmptyDatabase();

@ItemType()
class Boat extends BaseItem {
  @Field({ displayName: 'Name', searchable: true }) declare name: string;
  @Field({ displayName: 'Photo', type: 'IMAGE' }) declare photo: string;
  @Field({ displayName: 'Parts', type: 'REFERENCE', cardinality: 'MULTIPLE', targetEntity: () => Boat })
  declare parts: Related<Boat>[];
}

const boats = definePlugin({ id: 'boats', itemTypes: [Boat] });
const schemas: readonly PluginSchema[] = [identitySchema, subscriptionSchema, ...linkDefinitions([boats]).schemas];

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> => (await empty.client.query(sql)).rows;

beforeEach(async () => {
  await bringUpToDate({ databaseUrl: empty.database.url, plugins: schemas, logger: createRecordedLogger() });
  await empty.client.query(
    `INSERT INTO gantry_known_type (plugin, type, fields, removed_fields, returned)
       VALUES ('boats', 'boat', '{name}', '{}', '{}'), ('races', 'race', '{name}', '{}', '{}');
     INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ('r', 'r', '',
       '[{"on":{"plugin":"boats","type":"boat"},"actions":["read"]},{"on":"content","actions":["read"]}]', '{}');
     INSERT INTO boats_boat (name, photo) VALUES ('a', '/media/1'), ('b', '/media/1'), ('c', '/media/2');
     INSERT INTO boats_boat_parts VALUES (1, 2, 0);
     CREATE TABLE races_race (name text, winner_id bigint CONSTRAINT races_race_winner_id_fkey REFERENCES boats_boat);
     INSERT INTO races_race VALUES ('first');
     CREATE TABLE boats_log (at timestamptz)`,
  );
});

const options = () => ({ databaseUrl: empty.database.url, plugin: 'boats', actor: 'command' });

/** All that could be half done. */
const stateOfAll = () =>
  rows(`SELECT (SELECT count(*) FROM pg_class WHERE relname ~ '^boats_')::int AS relations,
    (SELECT count(*) FROM gantry_change)::int AS changes, (SELECT count(*) FROM gantry_search)::int AS entries,
    (SELECT count(*) FROM gantry_known_type)::int AS types, (SELECT count(*) FROM gantry_audit_event)::int AS events,
    (SELECT grants::text FROM gantry_role) AS grants, (SELECT count(*) FROM pg_proc WHERE proname ~ 'boats_')::int AS functions`);

it.each(['gantry.identity', 'gantry', '_platform'])(
  'purging %s finds and deletes nothing of a module',
  async (plugin) => {
    const before = await stateOfAll();
    const survey = await purgePlugin({ ...options(), plugin });

    expect(survey).toMatchObject({ types: [], tables: [] });
    expect(await stateOfAll()).toEqual([{ ...before[0], events: expect.any(Number) }]);
    expect(await rows('SELECT name FROM gantry_role')).toEqual([{ name: 'r' }]);
  },
);

describe('purging a plugin', () => {
  it('counts tables, rows, images and what refers to them', async () => {
    expect(await readPluginSurvey(options())).toEqual({
      plugin: 'boats',
      types: ['boat'],
      tables: [
        { name: 'boats_boat', type: 'boat', isLinks: false, rows: 3, images: 2 },
        { name: 'boats_boat_parts', type: 'boat', isLinks: true, rows: 1, images: 0 },
      ],
      extras: [],
      references: [
        {
          table: 'races_race',
          column: 'winner_id',
          constraint: 'races_race_winner_id_fkey',
          referencedTable: 'boats_boat',
          rows: 0,
        },
      ],
      otherTables: ['boats_log'],
    });
  });

  it('saves the rows, deletes all that is stored of it, and nothing of others', async () => {
    const lines: string[] = [];
    await purgePlugin({
      ...options(),
      async save(all) {
        for await (const line of all) lines.push(line);
      },
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      ...['a', 'b', 'c'].map((name) =>
        expect.objectContaining({ type: 'boat', table: 'boats_boat', row: expect.objectContaining({ name }) }),
      ),
      { type: 'boat', table: 'boats_boat_parts', isLinks: true, row: { item_id: 1, target_id: 2, position: 0 } },
      // The history, too, which goes with them.
      ...['a', 'b', 'c'].map((name, index) => ({
        ...{ type: 'boat', table: 'gantry_change', isLinks: false },
        row: expect.objectContaining({ item_id: index + 1, values: expect.objectContaining({ name }) }),
      })),
    ]);
    expect(await stateOfAll()).toEqual([
      {
        ...{ relations: 1, changes: 0, entries: 0, types: 1, events: 1, functions: 0 },
        grants: '[{"on": "content", "actions": ["read"]}]',
      },
    ]);
    expect(await rows('SELECT actor, action, subject, detail FROM gantry_audit_event')).toEqual([
      {
        ...{ actor: 'command', action: 'plugin-purged', subject: 'plugin:boats' },
        detail: { rows: { boats_boat: 3, boats_boat_parts: 1 } },
      },
    ]);
    const again = await bringUpToDate({
      databaseUrl: empty.database.url,
      plugins: schemas,
      logger: createRecordedLogger(),
    });
    expect(again).toMatchObject({ failures: [], differences: [] });
  });

  it('refuses while items that stay refer to its items, and deletes nothing', async () => {
    await empty.client.query('UPDATE races_race SET winner_id = 2');
    const before = await stateOfAll();
    await expect(purgePlugin(options())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('1 of races_race (winner_id) to boats_boat'),
    });
    expect(await stateOfAll()).toEqual(before);
  });

  it('deletes nothing when the rows cannot be saved', async () => {
    const before = await stateOfAll();
    await expect(purgePlugin({ ...options(), save: () => Promise.reject(new Error('it fails')) })).rejects.toThrow(
      'it fails',
    );
    expect(await stateOfAll()).toEqual(before);
  });

  it.each(['gantry_change', 'gantry_search', 'gantry_known_type'])(
    'deletes nothing when it is killed at %s',
    async (table) => {
      const before = await stateOfAll();
      await empty.client.query(
        `CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD; END $$;
         CREATE TRIGGER killed BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION end_session()`,
      );
      await expect(purgePlugin(options())).rejects.toThrow();
      await empty.client.query(`DROP TRIGGER killed ON ${table}`);
      expect(await stateOfAll()).toEqual(before);
      await purgePlugin(options());
      expect(await readPluginSurvey(options())).toMatchObject({ types: [], tables: [] });
    },
  );
});
