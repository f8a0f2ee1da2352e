import { Client } from 'pg';
import type { Migration } from '@gantry/plugin-api';
import { bringUpToDate, planOnly, type PluginSchema, type SchemaOutcome } from '../../src/schema/bring-up-to-date';
import type { SearchSpec, TableSpec } from '../../src/table-spec';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { column, tableSpec } from '../../../../test/support/table-specs';

const empty = useEmptyDatabase();

const columns = [column('code', 'text'), column('name', 'text'), column('other', 'text'), column('note', 'text')];
const rule: SearchSpec = { label: ['name', 'other'], code: 'code' };

function table(search: SearchSpec | undefined = rule, more: Partial<TableSpec> = {}): TableSpec {
  return tableSpec('shop', 'shop_item', { columns, ...(search === undefined ? {} : { search }), ...more });
}

/** The table as a version without search has it. */
const unsearched = tableSpec('shop', 'shop_item', { columns });

async function run(wanted: TableSpec = table(), migrations: readonly Migration[] = []): Promise<SchemaOutcome> {
  const plugins: readonly PluginSchema[] = [{ id: 'shop', migrations, tables: [wanted] }];
  const outcome = await bringUpToDate({ databaseUrl: empty.database.url, plugins, logger: createRecordedLogger() });
  expect(outcome.failures).toEqual([]);
  return outcome;
}

function query(sql: string): Promise<unknown> {
  return empty.client.query(sql);
}

async function entries(): Promise<readonly unknown[]> {
  const { rows } = await empty.client.query({
    text: 'SELECT item_id::int, code, label FROM gantry_search ORDER BY item_table, item_id',
    rowMode: 'array',
  });
  return rows;
}

/** Compares the entries with those computed from the rows. */
async function expectExact(): Promise<void> {
  const { rows } = await empty.client.query({
    text: `SELECT id::int, nullif(code, ''), nullif(concat_ws(chr(31), nullif(name, ''), nullif(other, '')), '') FROM shop_item ORDER BY id`,
    rowMode: 'array',
  });
  expect(await entries()).toEqual(rows);
}

describe('the entries of a table', () => {
  it('follow inserts, updates and deletes of one and of many rows, in plain SQL', async () => {
    await run();
    await query(
      "INSERT INTO shop_item (code, name, other) VALUES ('A', 'Apple', 'Fruit'), ('B', '', NULL), (NULL, NULL, NULL)",
    );
    expect(await entries()).toEqual([
      [1, 'A', 'Apple\u001fFruit'],
      [2, 'B', null],
      [3, null, null],
    ]);
    await query("UPDATE shop_item SET name = 'Pear' WHERE id IN (1, 3)");
    await query("UPDATE shop_item SET note = 'no label'");
    await query('UPDATE shop_item SET id = 9 WHERE id = 2');
    await expectExact();
    await query('DELETE FROM shop_item WHERE id < 5');
    expect(await entries()).toEqual([[9, 'B', null]]);
    await query('TRUNCATE shop_item');
    expect(await entries()).toEqual([]);
  });

  it('follow COPY-like inserts of many rows, upserts and cascades', async () => {
    await run();
    await query(`CREATE UNIQUE INDEX ON shop_item (code)`);
    await query(`INSERT INTO shop_item (code, name) SELECT 'C' || n, 'Name ' || n FROM generate_series(1, 5000) n`);
    await query(
      `INSERT INTO shop_item (code, name) VALUES ('C1', 'Changed'), ('D', 'New') ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.name`,
    );
    await query('ALTER TABLE shop_item ADD COLUMN parent bigint REFERENCES shop_item (id) ON DELETE CASCADE');
    await query('UPDATE shop_item SET parent = 1 WHERE id BETWEEN 2 AND 100');
    await query('DELETE FROM shop_item WHERE id = 1');
    await expectExact();
  });

  it('are rolled back with the change of the item', async () => {
    await run();
    await query("INSERT INTO shop_item (code) VALUES ('A')");
    await query(
      "BEGIN; INSERT INTO shop_item (code) VALUES ('B'); UPDATE shop_item SET code = 'C'; DELETE FROM shop_item WHERE id = 1; ROLLBACK",
    );
    expect(await entries()).toEqual([[1, 'A', null]]);
  });

  it('keep the first thousand characters of a long text', async () => {
    await run();
    await query("INSERT INTO shop_item (code, name) VALUES (repeat('c', 5000), repeat('n', 100000))");
    expect(await entries()).toEqual([[1, 'c'.repeat(1_000), 'n'.repeat(1_000)]]);
  });

  it('are written by a role that has no right on the search table', async () => {
    await run();
    await query(
      'DROP ROLE IF EXISTS gantry_clerk; CREATE ROLE gantry_clerk; GRANT INSERT, UPDATE, SELECT ON shop_item TO gantry_clerk',
    );
    await query(
      "SET ROLE gantry_clerk; SET search_path = pg_temp; INSERT INTO public.shop_item (code) VALUES ('A'); RESET ROLE; RESET search_path",
    );
    expect(await entries()).toEqual([[1, 'A', null]]);
    await query('DROP OWNED BY gantry_clerk; DROP ROLE gantry_clerk');
  });
});

describe('bringing the entries up to date', () => {
  it('writes those of items that an earlier version has left, once', async () => {
    await run(unsearched);
    await query(`INSERT INTO shop_item (code, name) SELECT 'C' || n, 'Name ' || n FROM generate_series(1, 5001) n`);
    const first = await run();
    expect(first.applied.map(({ kind, table: name }) => [kind, name])).toEqual([
      ['extension', ''],
      ['search', 'gantry_search'],
      ['search', 'shop_item'],
    ]);
    await expectExact();
    expect(await run()).toMatchObject({ applied: [], differences: [] });
    expect(
      (
        await planOnly({
          databaseUrl: empty.database.url,
          plugins: [{ id: 'shop', migrations: [], tables: [table()] }],
        })
      ).steps,
    ).toEqual([]);
    const { rows } = await empty.client.query("SELECT to_regclass('gantry_search_text_trgm')::text AS name");
    expect(rows).toEqual([{ name: 'gantry_search_text_trgm' }]);
  });

  it('writes them again by another rule, and continues what was interrupted', async () => {
    await run();
    await query("INSERT INTO shop_item (code, name, note) VALUES ('A', 'Apple', 'Red')");
    await run(table({ label: ['note'] }));
    expect(await entries()).toEqual([[1, null, 'Red']]);
    await query("UPDATE gantry_search SET label = 'stale'; UPDATE gantry_search_tables SET is_complete = false");
    await run(table({ label: ['note'] }));
    expect(await entries()).toEqual([[1, null, 'Red']]);
  });

  it('replaces triggers that are missing or disabled, and removes entries of items that are gone', async () => {
    await run();
    await query("INSERT INTO shop_item (code) VALUES ('A'), ('B')");
    await query('ALTER TABLE shop_item DISABLE TRIGGER ALL; DROP TRIGGER gantry_search_insert ON shop_item');
    await query("DELETE FROM shop_item WHERE id = 1; INSERT INTO shop_item (code) VALUES ('C')");
    await query('ALTER TABLE shop_item ENABLE TRIGGER ALL');
    await run();
    expect(await entries()).toEqual([
      [2, 'B', null],
      [3, 'C', null],
    ]);
  });

  it('lets a migration rename, retype and drop the columns of the label', async () => {
    await run();
    await query("INSERT INTO shop_item (code, name) VALUES ('A', 'Apple')");
    const migration: Migration = {
      name: '1',
      async up({ query: change }) {
        await change('ALTER TABLE shop_item RENAME COLUMN name TO title');
        await change('ALTER TABLE shop_item ALTER COLUMN code TYPE varchar(20)');
        await change('ALTER TABLE shop_item DROP COLUMN other');
        await change("UPDATE shop_item SET title = 'Pear'");
        await change("INSERT INTO shop_item (code, title) VALUES ('B', 'Banana')");
      },
    };
    const titled = [column('code', 'varchar(20)'), column('title', 'text'), column('note', 'text')];
    await run(tableSpec('shop', 'shop_item', { columns: titled, search: { label: ['title'], code: 'code' } }), [
      migration,
    ]);
    expect(await entries()).toEqual([
      [1, 'A', 'Pear'],
      [2, 'B', 'Banana'],
    ]);
  });
});

describe('writes while the entries are written', () => {
  it('are lost by neither side', async () => {
    await run(unsearched);
    await query(`INSERT INTO shop_item (code, name) SELECT 'C' || n, 'Name ' || n FROM generate_series(1, 20000) n`);
    let isDone = false;
    const writers = [0, 1, 2].map(async (seed) => {
      const client = new Client({ connectionString: empty.database.url });
      await client.connect();
      for (let count = 0; !isDone; count += 1) {
        const id = ((count * 7919 + seed * 6007) % 20_000) + 1;
        // Two items in either order in one transaction, so that a lock on both would be a deadlock for the writer.
        const other = ((id * 31) % 20_000) + 1;
        await client
          .query(
            `BEGIN; UPDATE shop_item SET name = 'Changed ${count}' WHERE id = ${id}; UPDATE shop_item SET code = 'N${count}' WHERE id = ${other}; COMMIT`,
          )
          .catch(async (error: unknown) => {
            // Of two writers that wait for each other one loses, whatever the entries do.
            await client.query('ROLLBACK');
            if (seed === 0 && !/deadlock/.test(String(error))) throw error;
          });
        if (count % 3 === 0) await client.query(`DELETE FROM shop_item WHERE id = ${((id * 17) % 20_000) + 1}`);
        if (count % 5 === 0) await client.query(`INSERT INTO shop_item (code, name) VALUES ('new', 'New ${count}')`);
      }
      await client.end();
      return seed;
    });
    await run();
    isDone = true;
    await Promise.all(writers);
    await expectExact();
  });

  it('wait for no item that another transaction keeps locked', async () => {
    await run(unsearched);
    await query("INSERT INTO shop_item (code) SELECT 'C' || n FROM generate_series(1, 10) n");
    await query("BEGIN; UPDATE shop_item SET code = 'held' WHERE id = 5");
    const running = run(unsearched).then(() => run());
    // The triggers wait for the writer, then the batch sees what it has written.
    setTimeout(() => void query('COMMIT'), 700);
    await running;
    await expectExact();
  });
});
