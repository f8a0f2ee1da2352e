import type { Migration } from '@gantry/plugin-api';
import { bringUpToDate } from '../src/schema/bring-up-to-date';
import { useEmptyDatabase } from '../../../test/support/empty-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { column, index, tableSpec } from '../../../test/support/table-specs';

const empty = useEmptyDatabase();

const item = tableSpec('shop', 'shop_item', {
  columns: [column('code', 'VARCHAR(20)', { nullable: false, default: "''" }), column('note', 'TEXT')],
  indexes: [index('shop_item_code_key', ['code'], { unique: true })],
});

/** Record of a migration of these statements, on a table with two rows. */
async function recordedOf(statements: string, settings: Partial<Migration> = {}) {
  const migration = {
    name: '1',
    up: async ({ query }) => void (await query(statements)),
    ...settings,
  } satisfies Migration;
  const run = (migrations: readonly Migration[]) =>
    bringUpToDate({
      databaseUrl: empty.database.url,
      plugins: [{ id: 'shop', version: '1.0.0', migrations, tables: [item] }],
      logger: createRecordedLogger(),
    });
  await run([]);
  await empty.client.query(`
    CREATE FUNCTION shop_rank(text) RETURNS integer LANGUAGE sql AS 'SELECT 1';
    CREATE DOMAIN shop_word AS text;
    CREATE VIEW shop_notes AS SELECT note FROM shop_item;
    INSERT INTO shop_item (code, note) VALUES ('A', 'one'), ('B', 'two')`);
  await run([migration]);
  const { rows } = await empty.client.query<{ breaks: readonly string[]; declared: boolean | null }>(
    'SELECT breaks, declared FROM gantry_migrations',
  );
  return rows[0];
}

const about = /\(about \d+ rows?\)|about \d+ values/g;

describe('what is recorded of a migration for versions without it', () => {
  it.each([
    'ALTER TABLE shop_item ADD COLUMN size integer',
    'ALTER TABLE shop_item ADD COLUMN size integer NOT NULL DEFAULT 3, ADD COLUMN made timestamptz DEFAULT clock_timestamp()',
    'ALTER TABLE shop_item ADD COLUMN twice text GENERATED ALWAYS AS (code || code) STORED',
    'ALTER TABLE shop_item ADD COLUMN parent bigint REFERENCES shop_item (id), ADD COLUMN slug text UNIQUE',
    'CREATE TABLE shop_box (id bigint PRIMARY KEY, item_id bigint NOT NULL REFERENCES shop_item (id))',
    'CREATE INDEX shop_item_note ON shop_item (note)',
    "INSERT INTO shop_item (code) VALUES ('C')",
    'CREATE TABLE shop_box (n integer); INSERT INTO shop_box VALUES (1); UPDATE shop_box SET n = 2; DELETE FROM shop_box',
    "CREATE FUNCTION shop_other() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    'SELECT count(*) FROM shop_item',
  ])('is that it only added: %s', async (statements) => {
    expect(await recordedOf(statements)).toEqual({ breaks: [], declared: null });
  });

  it.each([
    ['DROP TABLE shop_item CASCADE', 'removes the table shop_item'],
    ['ALTER TABLE shop_item DROP COLUMN note CASCADE', 'removes the column shop_item.note'],
    ['ALTER TABLE shop_item RENAME COLUMN note TO remark', 'renames shop_item.note to remark'],
    ['ALTER TABLE shop_item RENAME TO shop_thing', 'renames shop_item to shop_thing'],
    [
      'DROP VIEW shop_notes; ALTER TABLE shop_item ALTER COLUMN note TYPE varchar(9)',
      'changes the type of shop_item.note',
    ],
    [
      'ALTER TABLE shop_item ALTER COLUMN code TYPE text',
      'changes the type of shop_item.code from character varying(20) to text',
    ],
    ['ALTER TABLE shop_item ALTER COLUMN note SET NOT NULL', 'requires a value in shop_item.note'],
    ['ALTER TABLE shop_item ALTER COLUMN code DROP NOT NULL', 'allows shop_item.code to have no value'],
    ['ALTER TABLE shop_item ALTER COLUMN code DROP DEFAULT', 'removes the default of shop_item.code'],
    [
      'ALTER TABLE shop_item ADD COLUMN size integer NOT NULL DEFAULT 1; ALTER TABLE shop_item ALTER COLUMN size DROP DEFAULT',
      'adds the column shop_item.size, which needs a value',
    ],
    [
      "ALTER TABLE shop_item ADD CONSTRAINT shop_item_long CHECK (code <> 'x')",
      'adds the constraint shop_item_long of shop_item',
    ],
    ['CREATE UNIQUE INDEX shop_item_one ON shop_item (note)', 'adds the unique index shop_item_one of shop_item'],
    [
      'CREATE UNIQUE INDEX shop_item_one ON shop_item (lower(note))',
      'adds the unique index shop_item_one of shop_item',
    ],
    ['DROP INDEX shop_item_code_key', 'shop_item_code_key of shop_item'],
    ["UPDATE shop_item SET note = 'x'", 'changes or deletes rows of shop_item'],
    ["DO $$ BEGIN DELETE FROM shop_item WHERE code = 'A'; END $$", 'changes or deletes rows of shop_item'],
    ['TRUNCATE shop_item', 'changes or deletes rows of shop_item'],
    [
      "CREATE OR REPLACE FUNCTION shop_rank(text) RETURNS integer LANGUAGE sql AS 'SELECT 2'",
      'changes the function shop_rank(text)',
    ],
    ["ALTER DOMAIN shop_word ADD CHECK (VALUE <> '')", 'changes the type shop_word'],
    ['DROP VIEW shop_notes', 'removes the view shop_notes'],
    [
      "CREATE FUNCTION shop_no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER shop_never BEFORE INSERT ON shop_item FOR EACH ROW EXECUTE FUNCTION shop_no()",
      'adds the trigger shop_never of shop_item',
    ],
    [
      'ALTER TABLE shop_item ENABLE ROW LEVEL SECURITY; CREATE POLICY shop_all ON shop_item USING (true)',
      'adds the policy shop_all of shop_item',
    ],
  ])('is what they fail on: %s', async (statements, reason) => {
    const recorded = await recordedOf(statements);
    expect(recorded?.breaks.map((text) => text.replaceAll(about, '').trim()).join('; ')).toContain(reason);
  });

  it.each([true, false])('has what the plugin declares: %s', async (backwardCompatible) => {
    const recorded = await recordedOf("UPDATE shop_item SET note = 'x'", { backwardCompatible });
    expect(recorded).toMatchObject({ breaks: [expect.any(String)], declared: backwardCompatible });
  });
});
