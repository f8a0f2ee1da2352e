import type { MigrationContext } from '../define-plugin';
import type { DefinedFieldKind } from '../field-kinds';

/** A column of text whose values become days. @public */
export interface TextColumn {
  readonly table: string;
  readonly column: string;
}

const day = String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`;

/** SQL that is true for a text that is a day from the year 1, `YYYY-MM-DD`, in any PostgreSQL since 14. */
function isDay(column: string): string {
  const last = `(substr(${column}, 1, 7) || '-01')::date + interval '1 month' - interval '1 day'`;
  return `CASE WHEN ${column} ~ '${day}' AND ${column} >= '0001' THEN substr(${column}, 9, 2)::int <= extract(day FROM ${last}) ELSE false END`;
}

/**
 * Makes columns of text, `YYYY-MM-DD`, columns of days; for the migration of a field that becomes a DATE. A text that is no day, such as
 * 2026-02-30, cannot be kept in such a column: the item loses it with a new version, and its history keeps it.
 * @example up: (context) => convertTextToDate(context, [{ table: 'events_event', column: 'starts_on' }])
 * @public
 */
export async function convertTextToDate(context: MigrationContext, columns: readonly TextColumn[]): Promise<void> {
  for (const { table, column } of columns) {
    const name = quote(column);
    const using = `CASE WHEN ${isDay(name)} THEN ${name}::date END`;
    await convertColumn(
      context,
      { table, column },
      { families: textTypes, type: 'DATE', using, isLost: `NOT (${isDay(name)})` },
    );
  }
}

/**
 * Makes a column one of a field kind of a plugin, by the `takeOver` of the kind; for the migration of a field that gets the kind.
 * @throws Error when the kind cannot take over values of the type that the column has
 * @public
 */
export async function convertToFieldKind(
  context: MigrationContext,
  { table, column }: TextColumn,
  kind: Pick<DefinedFieldKind, 'name' | 'column' | 'takeOver'>,
): Promise<void> {
  const type = await typeOf(context, table, column);
  if (type === undefined) return;
  const name = quote(column);
  const using = kind.takeOver(name, type);
  if (using === undefined) {
    throw new Error(`${table}.${column} is ${type}, which the field kind ${kind.name} cannot take over`);
  }
  await convertColumn(
    context,
    { table, column },
    { families: [type], type: kind.column, using, isLost: `(${using}) IS NULL` },
  );
}

const textTypes = ['text', 'character varying', 'character'];

interface Conversion {
  /** Types that the column may have; nothing is done with another one. */
  readonly families: readonly string[];
  readonly type: string;
  readonly using: string;
  /** SQL that is true for a value that the new column cannot have. */
  readonly isLost: string;
}

async function convertColumn(
  context: MigrationContext,
  { table, column }: TextColumn,
  { families, type, using, isLost }: Conversion,
): Promise<void> {
  const found = await typeOf(context, table, column);
  if (found === undefined || !families.includes(found)) return;
  const [target, name] = [quote(table), quote(column)];
  // At once: writers that wait for the changed rows would keep the stronger lock of ALTER TABLE from being given.
  await context.query(`LOCK TABLE ${target} IN ACCESS EXCLUSIVE MODE`);
  const { isNullable } = await nullability(context, table, column);
  // Not with a required field: then PostgreSQL says which table has such a value.
  if (isNullable) {
    await context.query(
      `UPDATE ${target} SET ${name} = NULL, version = version + 1, updated_at = now() WHERE ${name} IS NOT NULL AND ${isLost}`,
    );
  }
  await dropTrigramIndexes(context, table, column);
  await context.query(
    `ALTER TABLE ${target} ALTER COLUMN ${name} DROP DEFAULT, ALTER COLUMN ${name} TYPE ${type} USING ${using}`,
  );
}

/** @returns undefined where there is no such table or column yet */
async function typeOf({ query }: MigrationContext, table: string, column: string): Promise<string | undefined> {
  const [row] = await query<{ type: string }>(
    'SELECT data_type AS type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2',
    [table, column],
  );
  return row?.type;
}

async function nullability(
  { query }: MigrationContext,
  table: string,
  column: string,
): Promise<{ readonly isNullable: boolean }> {
  const [row] = await query<{ nullable: string }>(
    'SELECT is_nullable AS nullable FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2',
    [table, column],
  );
  return { isNullable: row?.nullable === 'YES' };
}

/** An index for parts of texts is for texts only; other indexes are made again with the column. */
async function dropTrigramIndexes({ query }: MigrationContext, table: string, column: string): Promise<void> {
  const indexes = await query<{ name: string }>(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_am m ON m.oid = c.relam JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
     WHERE i.indrelid = to_regclass($1) AND a.attname = $2 AND m.amname = 'gin'`,
    [quote(table), column],
  );
  for (const { name } of indexes) await query(`DROP INDEX ${name}`);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
