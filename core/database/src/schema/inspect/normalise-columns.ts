import type { ClientBase } from 'pg';
import { reasonOf, sqlStateOf } from '../../database-errors';
import { quoteIdentifier } from '../../identifiers';
import type { ColumnSpec } from '../../table-spec';
import { generatedAs } from '../statements';

/** Type and default of a wanted column in PostgreSQL's own spelling, or why PostgreSQL takes neither. */
export type NormalColumn =
  | { readonly status: 'valid'; readonly type: string; readonly default?: string }
  | { readonly status: 'invalid'; readonly reason: string };

/** Looks up what {@link normaliseColumns} has read. */
export type Normaliser = (column: ColumnSpec) => NormalColumn;

/**
 * Lets PostgreSQL itself spell the wanted types and defaults: a temporary table gets a column for each distinct one,
 * is read back, and is never committed. So `DECIMAL(19, 4)` and `numeric(19,4)` are the same.
 */
export async function normaliseColumns(client: ClientBase, wanted: readonly ColumnSpec[]): Promise<Normaliser> {
  const generated = wanted.filter(isGenerated);
  const distinct = [
    ...new Map(wanted.filter((column) => !isGenerated(column)).map((column) => [definitionOf(column), column])).keys(),
  ];
  const known = new Map<string, NormalColumn>();
  for (const [definition, column] of [...generated].map((one) => [definitionOf(one), one] as const)) {
    if (!known.has(definition)) known.set(definition, await readGenerated(client, column));
  }
  for (let start = 0; start < distinct.length; start += maxColumns) {
    const part = distinct.slice(start, start + maxColumns);
    for (const [definition, column] of await readBack(client, part)) known.set(definition, column);
  }
  return (column) => known.get(definitionOf(column)) ?? { status: 'invalid', reason: 'it was not checked' };
}

/** A table has at most 1,600 columns. */
const maxColumns = 1_000;

type GeneratedColumn = ColumnSpec & Required<Pick<ColumnSpec, 'generated'>>;

function isGenerated(column: ColumnSpec): column is GeneratedColumn {
  return column.generated !== undefined;
}

function definitionOf(column: ColumnSpec): string {
  if (isGenerated(column)) return JSON.stringify([column.name, column.type, column.generated]);
  return column.default === undefined ? column.type : `${column.type} DEFAULT ${column.default}`;
}

async function readBack(
  client: ClientBase,
  definitions: readonly string[],
): Promise<readonly (readonly [string, NormalColumn])[]> {
  try {
    return await readTogether(client, definitions);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [only, ...others] = definitions;
    if (only === undefined) return [];
    if (others.length === 0) return [[only, { status: 'invalid', reason: reasonOf(error) }]];
    // One bad definition fails the statement: halve the list until the bad one is alone.
    const middle = Math.ceil(definitions.length / 2);
    return [
      ...(await readBack(client, definitions.slice(0, middle))),
      ...(await readBack(client, definitions.slice(middle))),
    ];
  }
}

/**
 * A generated column needs those that it is made from, and gets no others: an expression that reads another column, or whose values
 * change with the time, is refused.
 */
async function readGenerated(client: ClientBase, column: GeneratedColumn): Promise<NormalColumn> {
  const { name, type, generated } = column;
  const from = generated.from.map((source) => `${quoteIdentifier(source.name)} ${source.type}`);
  try {
    const [read] = await readTable(client, [...from, `${quoteIdentifier(name)} ${type} ${generatedAs(generated)}`], 1);
    return read ?? { status: 'invalid', reason: 'it was not checked' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { status: 'invalid', reason: reasonOf(error) };
  }
}

/** An answer of PostgreSQL about the definitions, unlike a connection that breaks or a right that is missing. */
function isRefusal(error: unknown): boolean {
  const sqlState = sqlStateOf(error) ?? '';
  return sqlState !== '42501' && /^(42|22|0A|2F)/.test(sqlState);
}

async function readTogether(
  client: ClientBase,
  definitions: readonly string[],
): Promise<readonly (readonly [string, NormalColumn])[]> {
  const columns = definitions.map((definition, index) => `c${index} ${definition}`);
  const read = await readTable(client, columns, columns.length);
  return definitions.map((definition, index) => [definition, read[index] ?? { status: 'valid', type: '' }] as const);
}

/** @returns the last columns of a table with these */
async function readTable(
  client: ClientBase,
  columns: readonly string[],
  last: number,
): Promise<readonly NormalColumn[]> {
  await client.query('BEGIN');
  try {
    await client.query(`CREATE TEMPORARY TABLE gantry_wanted (${columns.join(', ')}) ON COMMIT DROP`);
    const { rows } = await client.query<[string, string | null]>({
      text: `SELECT format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid)
             FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
             WHERE a.attrelid = 'pg_temp.gantry_wanted'::regclass AND a.attnum > 0 ORDER BY a.attnum`,
      rowMode: 'array',
    });
    return rows.slice(-last).map(([type, expression]) => ({
      status: 'valid',
      type,
      ...(expression === null ? {} : { default: expression }),
    }));
  } finally {
    await client.query('ROLLBACK');
  }
}
