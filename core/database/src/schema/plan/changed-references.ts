import { quoteIdentifier } from '../../identifiers';
import type { ColumnSpec, ForeignKeySpec, LinkSpec, TableSpec } from '../../table-spec';
import type { ActualForeignKey, ActualSchema, ActualTable } from '../inspect/actual-schema';
import type { SchemaFailure } from './schema-plan';
import { createTable } from '../statements';

/** Rows of a table, or those with a value in a column, that the plan depends on. */
export interface RowQuestion {
  readonly table: string;
  readonly column?: string;
}

/** How many rows there are, up to {@link maxCounted}; 0 for what was not asked. */
export type RowCounts = (question: RowQuestion) => number;

export const maxCounted = 100_000;

/**
 * References with values whose field means something else in the model: items of another type, or several where there was one. Read as the
 * model says, they would be other items or none, and conditions of roles would apply to those. Without values they simply change.
 */
export function changedReferences(table: TableSpec, schema: ActualSchema, count: RowCounts): readonly SchemaFailure[] {
  const { links } = table;
  return [
    ...table.foreignKeys.flatMap((key) =>
      redirectedFailure(table, key, redirected(key, schema.tables.get(table.name)), count),
    ),
    ...table.columns.flatMap((column) => singled(table, column, schema, count)),
    ...(links === undefined ? [] : multiplied(table, links, schema, count)),
  ];
}

/** The questions about rows that {@link changedReferences} asks. */
export function questionsOfReferences(table: TableSpec, schema: ActualSchema): readonly RowQuestion[] {
  const { name, links, columns, foreignKeys } = table;
  const actual = schema.tables.get(name);
  const hasLinks = columns.filter((column) => linkTablesOf(column, schema).length > 0);
  const itemColumns = links === undefined ? [] : itemColumnsOf(links, schema);
  return [
    ...foreignKeys.filter((key) => redirected(key, actual).length > 0).map(({ column }) => ({ table: name, column })),
    ...hasLinks.flatMap((column) => linkTablesOf(column, schema).map((linkTable) => ({ table: linkTable }))),
    ...hasLinks
      .filter((column) => actual?.columns.has(column.name))
      .map((column) => ({ table: name, column: column.name })),
    ...itemColumns.map((column) => ({ table: links?.itemTable ?? '', column })),
    ...(itemColumns.length > 0 && actual !== undefined ? [{ table: name }] : []),
  ];
}

/** Foreign keys of the column of a reference, if none of them is the wanted one and all refer to other tables. */
export function redirected(key: ForeignKeySpec, actual: ActualTable | undefined): readonly ActualForeignKey[] {
  const keys = [...(actual?.foreignKeys.values() ?? [])].filter(({ columns }) => columns.join() === key.column);
  return keys.some(({ referencedTable }) => referencedTable === key.referencedTable) ? [] : keys;
}

function redirectedFailure(
  { plugin, name: table, links }: TableSpec,
  { column, referencedTable }: ForeignKeySpec,
  [found]: readonly ActualForeignKey[],
  count: RowCounts,
): readonly SchemaFailure[] {
  const rows = count({ table, column });
  if (found === undefined || rows === 0) return [];
  const [name, quoted] = [quoteIdentifier(table), quoteIdentifier(column)];
  const removal =
    links === undefined ? `UPDATE ${name} SET ${quoted} = NULL WHERE ${quoted} IS NOT NULL` : `DELETE FROM ${name}`;
  return [
    {
      plugin,
      code: 'SCHEMA_REFERENCE_CHANGED',
      reason: `Table ${name}: column ${quoted} refers to ${quoteIdentifier(found.referencedTable)} in the database and to ${quoteIdentifier(referencedTable)} in the model; ${rowText(rows)}.`,
      remedy: `Give the field another name, or remove the values in a migration of the plugin, if they are not needed: ${removal};`,
    },
  ];
}

/** Link tables that exist, of a reference that is to one item now. */
function linkTablesOf({ linkTables = [] }: ColumnSpec, { tables }: ActualSchema): readonly string[] {
  return linkTables.filter((name) => isLinkTable(tables.get(name)));
}

function isLinkTable(table: ActualTable | undefined): boolean {
  return table !== undefined && ['item_id', 'target_id', 'position'].every((column) => table.columns.has(column));
}

/** A reference to one item whose values are in a link table. */
function singled(
  { plugin, name }: TableSpec,
  column: ColumnSpec,
  schema: ActualSchema,
  count: RowCounts,
): readonly SchemaFailure[] {
  if (count({ table: name, column: column.name }) > 0) return [];
  const [table, quoted] = [quoteIdentifier(name), quoteIdentifier(column.name)];
  const isMissing = schema.tables.get(name)?.columns.has(column.name) !== true;
  return linkTablesOf(column, schema).flatMap((linkTable): readonly SchemaFailure[] => {
    const rows = count({ table: linkTable });
    if (rows === 0) return [];
    const links = quoteIdentifier(linkTable);
    const first = `(SELECT l.target_id FROM ${links} l WHERE l.item_id = i.id ORDER BY l.position LIMIT 1)`;
    const statements = [
      ...(isMissing ? [`ALTER TABLE ${table} ADD COLUMN ${quoted} ${column.type}`] : []),
      `UPDATE ${table} i SET ${quoted} = ${first}`,
      `DROP TABLE ${links}`,
    ];
    return [
      {
        plugin,
        code: 'SCHEMA_REFERENCE_CHANGED',
        reason: `Table ${table}: the reference in column ${quoted} is to one item in the model, and to several in the database; ${rowText(rows, linkTable)}.`,
        remedy: `Give the field another name, or add the statements to a migration of the plugin, which keep the first item of each reference: ${statements.join('; ')};`,
      },
    ];
  });
}

/** Columns that exist, of a reference that is to several items now. */
function itemColumnsOf({ itemTable, itemColumns = [] }: LinkSpec, { tables }: ActualSchema): readonly string[] {
  const actual = tables.get(itemTable);
  const isReference = (name: string): boolean =>
    [...(actual?.foreignKeys.values() ?? [])].some(({ columns }) => columns.join() === name);
  return itemColumns.filter((name) => actual?.columns.has(name) === true && isReference(name));
}

/** A reference to several items whose values are in a column. */
function multiplied(
  table: TableSpec,
  links: LinkSpec,
  schema: ActualSchema,
  count: RowCounts,
): readonly SchemaFailure[] {
  if (count({ table: table.name }) > 0) return [];
  const [items, name] = [quoteIdentifier(links.itemTable), quoteIdentifier(table.name)];
  return itemColumnsOf(links, schema).flatMap((column): readonly SchemaFailure[] => {
    const rows = count({ table: links.itemTable, column });
    if (rows === 0) return [];
    const quoted = quoteIdentifier(column);
    const statements = [
      ...(schema.tables.has(table.name) ? [] : [createTable(table)]),
      `INSERT INTO ${name} (item_id, target_id, position) SELECT id, ${quoted}, 1 FROM ${items} WHERE ${quoted} IS NOT NULL`,
      `ALTER TABLE ${items} DROP COLUMN ${quoted}`,
    ];
    return [
      {
        plugin: table.plugin,
        code: 'SCHEMA_REFERENCE_CHANGED',
        reason: `Table ${items}: the reference ${links.name} is to several items in the model, and to one in the database, in column ${quoted}; ${rowText(rows)}.`,
        remedy: `Give the field another name, or add the statements to a migration of the plugin, which keep all references: ${statements.join('; ')};`,
      },
    ];
  });
}

function rowText(rows: number, table?: string): string {
  const where = table === undefined ? '' : ` of ${quoteIdentifier(table)}`;
  const number = rows >= maxCounted ? `${maxCounted.toLocaleString('en')} or more` : String(rows);
  return rows === 1 ? `1 row${where} has a value` : `${number} rows${where} have a value`;
}
