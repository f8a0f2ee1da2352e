import { definePlugin, Field, type ExtraFields, type PluginDefinition } from '@gantry/plugin-api';
import { linkDefinitions } from '../../src/composition/open-items';
import { purgePlugin } from '../../src/for-commands';
import { identitySchema } from '@gantry/core-identity/commands';
import { bringUpToDate, type PluginSchema, type SchemaOutcome } from '@gantry/core-database';
import { declareType } from '../../../../test/support/content/declare-type';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

const empty = useEmptyDatabase();

class Race {
  @Field({ displayName: 'Wins', type: 'NUMBER', searchable: true }) declare wins: number;
  @Field({ displayName: 'Sail number', required: true, maxLength: 20 }) declare sailNumber: string;
}

class RaceWithCrew extends Race {
  @Field({ displayName: 'Crew', type: 'REFERENCE', cardinality: 'MULTIPLE', targetEntity: 'boats.Boat' })
  declare crew: readonly object[];
}

const racing = (extra: Partial<ExtraFields> = {}): PluginDefinition =>
  definePlugin({
    id: 'races',
    extraFields: [{ type: 'boats.Boat', fields: Race, unique: [['sailNumber']], ...extra }],
  });

/** Of a class that nothing has added columns to. */
const schemas = (...others: readonly PluginDefinition[]): readonly PluginSchema[] => {
  const Boat = declareType('Boat', { name: { searchable: true } });
  return linkDefinitions([definePlugin({ id: 'boats', itemTypes: [Boat] }), ...others]).schemas;
};

const [withoutRaces, withRaces] = [schemas(), schemas(racing())];
const start = (plugins: readonly PluginSchema[]): Promise<SchemaOutcome> =>
  bringUpToDate({ databaseUrl: empty.database.url, plugins, logger: createRecordedLogger() });

const rows = async (sql: string): Promise<readonly Record<string, unknown>[]> => (await empty.client.query(sql)).rows;
const changes = async () => rows('SELECT values FROM gantry_change ORDER BY sequence');

describe('extra columns', () => {
  it('are added to the table of the other plugin, may be empty, and have concurrent indexes of their own', async () => {
    await start(withoutRaces);
    await empty.client.query(`INSERT INTO boats_boat (name) VALUES ('Ann')`);
    const outcome = await start(withRaces);
    expect(outcome.failures).toEqual([]);
    const steps = outcome.applied.filter(({ table }) => table === 'boats_boat');
    expect(
      steps.map(({ plugin, kind, statement }) => [
        plugin,
        kind,
        ...(statement.includes('CONCURRENTLY') ? ['later'] : []),
      ]),
    ).toEqual([
      ...[
        ['races', 'column'],
        ['races', 'column'],
        ['boats', 'changes'],
      ],
      ...[
        ['races', 'index', 'later'],
        ['races', 'index', 'later'],
      ],
    ]);
    expect((await start(withRaces)).applied).toEqual([]);
    expect(outcome.kept).toEqual([]);
  });

  it('are kept with their values in the change feed while their plugin is not there', async () => {
    await start(withRaces);
    await empty.client.query(`INSERT INTO boats_boat (name, races$wins, races$sail_number) VALUES ('Ann', 3, 'G 1')`);
    const outcome = await start(withoutRaces);
    expect(outcome).toMatchObject({ applied: [], failures: [], differences: [], kept: [] });
    await empty.client.query(`UPDATE boats_boat SET name = 'Bea'`);
    expect(await changes()).toMatchObject([
      { values: { name: 'Ann', races$wins: 3, races$sailNumber: 'G 1' } },
      { values: { name: 'Bea', races$wins: 3, races$sailNumber: 'G 1' } },
    ]);
  });

  it('keep references to several items in the change feed as well', async () => {
    await start(schemas(racing({ fields: RaceWithCrew })));
    await empty.client.query(
      `INSERT INTO boats_boat (name) VALUES ('Ann'), ('Bea'); INSERT INTO boats_boat_races$crew VALUES (1, 2, 0)`,
    );
    expect(await start(withoutRaces)).toMatchObject({ applied: [], failures: [] });
    await empty.client.query(`UPDATE boats_boat SET name = 'Cid' WHERE id = 1`);
    expect((await changes()).at(-1)).toMatchObject({ values: { name: 'Cid', races$crew: [2] } });
  });

  it('that fail leave the table and its owner as they are', async () => {
    class Wrong {
      @Field({ displayName: 'Wins', column: 'VARCHAR(99000000)' }) declare wins: string;
    }
    const { failures } = await start(schemas(racing({ fields: Wrong, unique: [] })));
    expect(failures).toMatchObject([{ plugin: 'races', code: 'SCHEMA_TYPE_INVALID' }]);
    await empty.client.query(`INSERT INTO boats_boat (name) VALUES ('Ann')`);
    expect(await changes()).toMatchObject([{ values: { name: 'Ann' } }]);
  });

  it('get an index again whose creation broke off', async () => {
    await start(withRaces);
    await empty.client.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'boats_boat_races$wins_idx'::regclass`,
    );
    expect((await start(withRaces)).applied).toMatchObject([{ kind: 'index', name: 'boats_boat_races$wins_idx' }]);
    expect((await start(withRaces)).applied).toEqual([]);
  });

  it('are indexed while another host waits to update the schema', async () => {
    const outcomes = await Promise.all([start(withRaces), start(withRaces), start(withRaces)]);
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it('that have no room leave the table and its owner as they are', async () => {
    await start(withoutRaces);
    const many = Array.from({ length: 1592 }, (_, index) => `ADD COLUMN x${index} int`);
    await empty.client.query(`ALTER TABLE boats_boat ${many.join(', ')}`);
    const { failures } = await start(withRaces);
    expect(failures).toMatchObject([
      { plugin: 'races', code: 'SCHEMA_STEP_FAILED', reason: expect.stringContaining('1600') },
    ]);
    await empty.client.query(`INSERT INTO boats_boat (name) VALUES ('Ann')`);
    expect(await changes()).toMatchObject([{ values: { name: 'Ann' } }]);
  });

  it('with values that are no longer unique fail their plugin alone', async () => {
    await start(withRaces);
    await empty.client.query(`INSERT INTO boats_boat (name, races$sail_number) VALUES ('Ann', 'G 1');
      DROP INDEX boats_boat_races$sailnumber_key; INSERT INTO boats_boat (name, races$sail_number) VALUES ('Bea', 'G 1')`);
    const { failures } = await start(withRaces);
    expect(failures).toMatchObject([{ plugin: 'races', code: 'SCHEMA_DUPLICATE_ROWS' }]);
    expect((await start(withoutRaces)).failures).toEqual([]);
  });

  it('follow a rename of their field, with history', async () => {
    class Renamed {
      @Field({ displayName: 'Victories', type: 'NUMBER', searchable: true, renamedFrom: 'wins' })
      declare victories: number;
    }
    await start(withRaces);
    await empty.client.query(`INSERT INTO boats_boat (name, races$wins) VALUES ('Ann', 3)`);
    const outcome = await start(schemas(racing({ fields: Renamed, unique: [] })));
    expect(outcome).toMatchObject({ failures: [] });
    await empty.client.query(`UPDATE boats_boat SET races$victories = 4`);
    const values = (await changes()).map((change) => change['values']);
    expect(values).toMatchObject([{ races$victories: 3 }, { races$victories: 4 }]);
    expect(values[1]).not.toHaveProperty('races$wins');
  });

  it.each([
    ['while their plugin is there', [racing()]],
    ['while it is not', []],
  ])('follow a rename of the type %s', async (_when, others) => {
    await start(withRaces);
    await empty.client.query(`INSERT INTO boats_boat (name, races$wins) VALUES ('Ann', 3)`);
    const rename = (...definitions: readonly PluginDefinition[]) => {
      const Boat = declareType('Yacht', { name: { searchable: true } }, { renamedFrom: 'boat' });
      return linkDefinitions([definePlugin({ id: 'boats', itemTypes: [Boat] }), ...definitions]).schemas;
    };
    const moved = others.map((definition) => ({
      ...definition,
      extraFields: definition.extraFields?.map((extra) => ({ ...extra, type: 'boats.Yacht' })) ?? [],
    }));
    expect(await start(rename(...moved))).toMatchObject({ failures: [], differences: [] });
    await empty.client.query(`UPDATE boats_yacht SET races$wins = 4`);
    expect(await rows('SELECT item_table, values FROM gantry_change ORDER BY sequence')).toMatchObject([
      { item_table: 'boats_yacht', values: { races$wins: 3 } },
      { item_table: 'boats_yacht', values: { races$wins: 4 } },
    ]);
    expect((await start(rename(...moved))).applied).toEqual([]);
  });

  it('are dropped by the purge of their plugin, which takes the fields out of grants and keeps the rest', async () => {
    const [withLinks, left] = [schemas(racing({ fields: RaceWithCrew })), schemas()];
    await start([identitySchema, ...withLinks]);
    await empty.client.query(
      `INSERT INTO boats_boat (name, races$wins) VALUES ('Ann', 3), ('Bea', NULL);
       INSERT INTO boats_boat_races$crew VALUES (1, 2, 0);
       INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ('r', 'r', '',
         '[{"on":{"plugin":"boats","type":"boat"},"actions":["read"],"readableFields":["name","races$wins"]},
           {"on":{"plugin":"boats","type":"boat"},"actions":["read"],"where":[{"field":"races$wins","operator":"EQUALS","value":"1"}]}]', '{}')`,
    );
    const lines: string[] = [];
    const save = async (all: AsyncIterable<string>) => {
      for await (const line of all) lines.push(line);
    };
    const survey = await purgePlugin({ databaseUrl: empty.database.url, plugin: 'races', actor: 'command', save });
    expect(survey).toMatchObject({
      tables: [{ name: 'boats_boat_races$crew', type: 'boat', isLinks: true, rows: 1 }],
      extras: [
        {
          table: 'boats_boat',
          owner: 'boats',
          type: 'boat',
          rows: 1,
          columns: ['races$wins', 'races$sail_number'],
        },
      ],
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ table: 'boats_boat_races$crew' }),
      { type: 'boat', table: 'boats_boat', isLinks: false, row: expect.objectContaining({ id: 1, races$wins: 3 }) },
    ]);
    expect(await rows('SELECT grants FROM gantry_role')).toEqual([
      { grants: [expect.objectContaining({ readableFields: ['name'] })] },
    ]);
    await empty.client.query(`UPDATE boats_boat SET name = 'Cid' WHERE id = 1`);
    expect((await changes()).at(-1)).toEqual({ values: { name: 'Cid', createdBy: null, updatedBy: null } });
    expect(await start([identitySchema, ...left])).toMatchObject({
      applied: [],
      failures: [],
      differences: [],
      kept: [],
    });
    expect(await rows(`SELECT event FROM gantry_type_event`)).toMatchObject([
      { event: { kind: 'purged', extraFields: [{ type: 'boat' }] } },
    ]);
  });

  it('have names that fit, whatever the id of the plugin and the name of the field', async () => {
    const id = `a-${'very-'.repeat(6)}long-id`;
    const name = `n${'ame'.repeat(20)}`;
    class Long {
      @Field({ displayName: 'Short' }) declare short: string;
    }
    Field({ displayName: 'Long', searchable: true })(Long.prototype, name);
    const long = definePlugin({ id, extraFields: [{ type: 'boats.Boat', fields: Long, unique: [[name]] }] });
    const plugins = schemas(long);
    expect((await start(plugins)).failures).toEqual([]);
    expect(await start(plugins)).toMatchObject({ applied: [], differences: [] });
    expect(await start(withoutRaces)).toMatchObject({
      applied: [],
      differences: [],
      leftFields: [{ name: `${id}$${name}` }, { name: `${id}$short` }],
    });
    const survey = await purgePlugin({ databaseUrl: empty.database.url, plugin: id, actor: 'command' });
    expect(survey.extras).toMatchObject([
      {
        table: 'boats_boat',
        fields: [`${id}$${name}`, `${id}$short`],
        columns: [expect.any(String), expect.any(String)],
      },
    ]);
    expect(await start(withoutRaces)).toMatchObject({ applied: [], differences: [], leftFields: [] });
  });
});
