import { BaseItem, definePlugin, Field, ItemType, type Migration, type Related } from '@gantry/plugin-api';
import { linkDefinitions } from '../../src/composition/open-items';
import { bringUpToDate, planOnly, type PluginSchema, type SchemaOutcome } from '@gantry/core-database';
import { identitySchema } from '@gantry/core-identity/commands';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

const empty = useEmptyDatabase();

@ItemType()
class Crate extends BaseItem {
  @Field({ displayName: 'Code', searchable: true }) declare code: string;
}

@ItemType({ unique: [['name']] })
class Item extends BaseItem {
  @Field({ displayName: 'Name', searchable: true, required: true }) declare name: string;
  @Field({ displayName: 'Box', type: 'REFERENCE', targetEntity: () => Crate }) declare box: Related<Crate>;
  @Field({ displayName: 'Parts', type: 'REFERENCE', cardinality: 'MULTIPLE', targetEntity: () => Item })
  declare parts: Related<Item>[];
}

@ItemType({ unique: [['title']], renamedFrom: 'item' })
class Product extends BaseItem {
  @Field({ displayName: 'Title', searchable: true, required: true, renamedFrom: 'name' }) declare title: string;
  @Field({ displayName: 'Crate', type: 'REFERENCE', targetEntity: () => Crate, renamedFrom: 'box' })
  declare crate: Related<Crate>;
  @Field({
    displayName: 'Pieces',
    type: 'REFERENCE',
    cardinality: 'MULTIPLE',
    targetEntity: () => Product,
    renamedFrom: 'parts',
  })
  declare pieces: Related<Product>[];
}

@ItemType({ unique: [['subtitle']], renamedFrom: ['product', 'item'] })
class Article extends BaseItem {
  @Field({ displayName: 'Subtitle', searchable: true, required: true, renamedFrom: ['title', 'name'] })
  declare subtitle: string;
  @Field({ displayName: 'Note' }) declare note: string;
  @Field({ displayName: 'Crate', type: 'REFERENCE', targetEntity: () => Crate, renamedFrom: ['box'] })
  declare crate: Related<Crate>;
  @Field({
    displayName: 'Pieces',
    type: 'REFERENCE',
    cardinality: 'MULTIPLE',
    targetEntity: () => Article,
    renamedFrom: ['parts'],
  })
  declare pieces: Related<Article>[];
}

interface Version {
  readonly schema: PluginSchema;
  readonly table: string;
  readonly label: string;
  readonly crate: string;
  readonly links: string;
}

function version(type: typeof Item | typeof Product | typeof Article, names: Omit<Version, 'schema'>): Version {
  const [schema] = linkDefinitions([definePlugin({ id: 'shop', itemTypes: [Crate, type] })]).schemas;
  if (schema === undefined) throw new Error('The plugin has no schema.');
  return { schema, ...names };
}

const versions = [
  version(Item, { table: 'shop_item', label: 'name', crate: 'box_id', links: 'shop_item_parts' }),
  version(Product, { table: 'shop_product', label: 'title', crate: 'crate_id', links: 'shop_product_pieces' }),
  version(Article, { table: 'shop_article', label: 'subtitle', crate: 'crate_id', links: 'shop_article_pieces' }),
] as const;

function start(...plugins: readonly PluginSchema[]): Promise<SchemaOutcome> {
  const logger = createRecordedLogger();
  return bringUpToDate({ databaseUrl: empty.database.url, plugins: [identitySchema, ...plugins], logger });
}

const rows = async (sql: string, values: unknown[] = []): Promise<readonly Record<string, unknown>[]> =>
  (await empty.client.query(sql, values)).rows;

/** Ends the session that runs the n-th statement of the schema from now on. */
async function killAt(n: number): Promise<void> {
  await empty.client.query(
    `CREATE SEQUENCE IF NOT EXISTS kill_count;
     ALTER SEQUENCE kill_count RESTART;
     CREATE OR REPLACE FUNCTION kill_at() RETURNS event_trigger LANGUAGE plpgsql AS
       $$ BEGIN IF nextval('kill_count') = ${n} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; END $$;
     CREATE EVENT TRIGGER killer ON ddl_command_end EXECUTE FUNCTION kill_at()`,
  );
}

/** State for a reader, whatever the names are: labels with their crate and their links, and the labels in the history. */
async function stateOf({ table, label, crate, links }: Version) {
  return {
    items: await rows(`SELECT id, version, "${label}" AS label, "${crate}" AS crate FROM ${table} ORDER BY id`),
    links: await rows(`SELECT item_id, target_id, position FROM ${links} ORDER BY 1, 2`),
    history: await rows(
      `SELECT item_id, version, action, coalesce(values ->> 'name', values ->> 'title', values ->> 'subtitle') AS label,
         coalesce(labels -> 'box', labels -> 'crate') AS crate FROM gantry_change WHERE item_table = $1 ORDER BY sequence`,
      [table],
    ),
    entries: await rows('SELECT item_id, label FROM gantry_search WHERE item_table = $1 ORDER BY item_id', [table]),
  };
}

/** The same numbers for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function change({ table, label, crate, links }: Version, random: (below: number) => number): Promise<void> {
  const names = Array.from({ length: 1 + random(4) }, () => `n${random(1_000_000_000)}`);
  await rows(
    `INSERT INTO ${table} ("${label}", "${crate}") SELECT name, (SELECT min(id) FROM shop_crate) FROM unnest($1::text[]) AS name
     ON CONFLICT DO NOTHING`,
    [names],
  );
  await rows(`UPDATE ${table} SET "${label}" = "${label}" || 'x' WHERE id % 3 = $1`, [random(3)]);
  await rows(
    `INSERT INTO ${links} SELECT a.id, b.id, 0 FROM ${table} a, ${table} b WHERE a.id = b.id + 1 ON CONFLICT DO NOTHING`,
  );
}

describe('versions of a plugin that rename types and fields', () => {
  it('keep everything when a start is killed at any statement of the renames', async () => {
    const [first, , last] = versions;
    await start(first.schema);
    await rows(`INSERT INTO shop_crate (code) VALUES ('c1')`);
    await change(first, createRandom(1));
    const before = await stateOf(first);
    let kills = 0;
    for (;;) {
      await killAt(kills + 1);
      const outcome = await start(last.schema).catch(() => undefined);
      await empty.client.query('DROP EVENT TRIGGER killer');
      if (outcome !== undefined) break;
      kills += 1;
      const hasOld = await rows(`SELECT to_regclass('shop_item') IS NOT NULL AS old`);
      const now = hasOld[0]?.['old'] === true ? first : last;
      expect((await stateOf(now)).items).toEqual(before.items);
    }
    expect(kills).toBeGreaterThan(15);
    expect(await stateOf(last)).toEqual(before);
    expect((await start(last.schema)).applied).toEqual([]);
  });

  it.each([1, 2])('lose no row in a random sequence of changes, upgrades, absences and kills (%i)', async (seed) => {
    const random = createRandom(seed);
    let current = 0;
    await start(versions[0].schema);
    await rows(`INSERT INTO shop_crate (code) VALUES ('c1')`);
    for (let step = 0; step < 10; step += 1) {
      const version = versions[current] ?? versions[0];
      await change(version, random);
      const before = await stateOf(version);
      // Disabled: the plugin is not there.
      if (random(3) === 0) await start();
      const next = Math.min(versions.length - 1, current + (random(3) === 0 ? 1 + random(2) : 0));
      const target = versions[next] ?? version;
      if (random(2) === 0) {
        await killAt(1 + random(12));
        await start(target.schema).catch(() => undefined);
        await empty.client.query('DROP EVENT TRIGGER killer');
      }
      expect(await start(target.schema)).toMatchObject({ failures: [], differences: [] });
      current = next;
      expect(await stateOf(target)).toEqual(before);
    }
  });
});

describe('an older version of a plugin', () => {
  const migration = ([name = '', ...statements]: readonly string[]): Migration => ({
    name,
    async up({ query }) {
      for (const statement of statements) await query(statement);
    },
  });
  const other: PluginSchema = { id: 'other', version: '1.0.0', migrations: [], tables: [] };
  const withVersion = (
    schema: PluginSchema,
    version: string,
    migrations: readonly (readonly string[])[] = [],
  ): PluginSchema => ({
    ...schema,
    version,
    migrations: migrations.map(migration),
  });

  it('is refused after a migration that did more than add, without a change, while others continue', async () => {
    await start(withVersion(versions[0].schema, '1.0.0', [['a']]), other);
    const dropping = ['b', 'ALTER TABLE shop_crate DROP COLUMN code'];
    await start(withVersion(versions[0].schema, '1.1.0', [['a'], dropping]), other);
    const old = withVersion(versions[0].schema, '1.0.0', [['a']]);
    const refused = {
      plugin: 'shop',
      code: 'SCHEMA_NEWER',
      reason: expect.stringMatching(/ shop .* 1\.0\.0, .* 1\.1\.0 .*: b \(removes .* shop_crate\.code /),
      remedy: expect.stringContaining(' 1.1.0 '),
    };
    expect(await planOnly({ databaseUrl: empty.database.url, plugins: [old] })).toMatchObject({ failures: [refused] });
    expect(await start(old, other)).toMatchObject({ failures: [refused], applied: [], migrations: [] });
    expect((await start(withVersion(versions[0].schema, '1.2.0', [dropping]), other)).failures).toEqual([]);
  });

  it('runs after a migration that only added, whose statements do not run again when the newer one returns', async () => {
    const adding = [
      'b',
      'ALTER TABLE shop_crate ADD COLUMN size integer NOT NULL DEFAULT 1',
      'CREATE TABLE shop_shelf ()',
    ];
    const [old, next] = [[['a']], [['a'], adding]].map((migrations, index) =>
      withVersion(versions[0].schema, `1.${index}.0`, migrations),
    );
    if (old === undefined || next === undefined) throw new Error('There are two versions.');
    await start(old);
    expect((await start(next)).migrations).toEqual([{ plugin: 'shop', name: 'b' }]);
    expect(await start(old)).toMatchObject({ failures: [], migrations: [] });
    expect(await start(next)).toMatchObject({ failures: [], migrations: [] });
  });

  it('is refused after a migration of which nothing was recorded', async () => {
    await start(withVersion(versions[0].schema, '1.0.0'));
    await start(withVersion(versions[0].schema, '1.1.0', [['a']]));
    await rows('ALTER TABLE gantry_migrations DROP COLUMN breaks, DROP COLUMN declared');
    const { failures } = await start(withVersion(versions[0].schema, '1.0.0'));
    expect(failures).toMatchObject([{ code: 'SCHEMA_NEWER', reason: expect.stringMatching(/: a \(.*recorded/) }]);
    expect((await start(withVersion(versions[0].schema, '1.2.0', [['a'], ['c']]))).failures).toEqual([]);
  });

  it('is refused after a rename, and makes no empty tables', async () => {
    await start(withVersion(versions[0].schema, '1.0.0'));
    await start(withVersion(versions[1].schema, '2.0.0'));
    expect(await start(withVersion(versions[0].schema, '1.0.0'))).toMatchObject({
      failures: [{ code: 'SCHEMA_NEWER', reason: expect.stringMatching(/ 2\.0\.0 renamed /) }],
    });
    expect(await rows(`SELECT to_regclass('shop_item') AS old`)).toEqual([{ old: null }]);
  });

  it('may run when only columns were added', async () => {
    await start(withVersion(versions[1].schema, '1.0.0'));
    const [crates, product, ...links] = versions[1].schema.tables;
    if (crates === undefined || product === undefined) throw new Error('The type has no table.');
    const wider = { ...product, columns: [...product.columns, { name: 'extra', type: 'TEXT', nullable: true }] };
    await start({ ...withVersion(versions[1].schema, '1.1.0'), tables: [crates, wider, ...links] });
    expect((await start(withVersion(versions[1].schema, '1.0.0'))).failures).toEqual([]);
  });
});
