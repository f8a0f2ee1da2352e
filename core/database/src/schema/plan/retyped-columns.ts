import { quoteIdentifier } from '../../identifiers';
import type { ColumnSpec, TableSpec } from '../../table-spec';
import type { ActualColumn, ActualTable } from '../inspect/actual-schema';
import { canCast, canServe, changeType } from '../column-types';
import type { Normaliser } from '../inspect/normalise-columns';
import type { SchemaFailure } from './schema-plan';
import { alterColumn } from '../statements';

/**
 * Columns that a field could not use any more, as when a number became text: its values would not be read, or others stored than were sent.
 * Columns that differ in another way are reported as differences, with which the platform keeps working.
 */
export function retypedColumns(table: TableSpec, actual: ActualTable, normalise: Normaliser): readonly SchemaFailure[] {
  return table.columns.flatMap((column): readonly SchemaFailure[] => {
    const normal = normalise(column);
    const found = actual.columns.get(column.name);
    if (found === undefined || normal.status === 'invalid') return [];
    if (column.generated !== undefined) return found.generated ? [] : [storedAlready(table, column)];
    if (found.generated && isOfField(table, column)) return [computedAlready(table, column)];
    return isUsable(found, normal.type) ? [] : [retyped(table, column, found.type, normal.type)];
  });
}

function isUsable(found: ActualColumn, type: string): boolean {
  return found.type === type || canServe(found.type, type);
}

/** Other columns of a table are private to its plugin, whose own statements may leave them out. */
function isOfField({ changes }: TableSpec, { name }: ColumnSpec): boolean {
  return changes === undefined || changes.fields.some(({ column }) => column === name);
}

function retyped({ plugin, name: table }: TableSpec, column: ColumnSpec, found: string, type: string): SchemaFailure {
  const name = quoteIdentifier(column.name);
  const change = alterColumn(table, column.name, changeType(column.name, found, type));
  const migration = canCast(found, type)
    ? `add the statement to a migration of the plugin: ${change};`
    : 'convert the column in a migration of the plugin, which decides what becomes of its values.';
  return {
    plugin,
    code: 'SCHEMA_COLUMN_RETYPED',
    reason: `Table ${quoteIdentifier(table)}: column ${name} is ${found} in the database and ${type} in the model, so that it cannot hold or give all values of the field.`,
    remedy: `Give the field another name, or ${migration}`,
  };
}

/** Values of people are not overwritten. */
function storedAlready({ plugin, name: table }: TableSpec, column: ColumnSpec): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_COLUMN_RETYPED',
    reason: `Table ${quoteIdentifier(table)}: column ${quoteIdentifier(column.name)} has values that were written, but the field is computed in the model.`,
    remedy: `Give the field another name, or remove the column in a migration of the plugin, if its values are not needed: ALTER TABLE ${quoteIdentifier(table)} DROP COLUMN ${quoteIdentifier(column.name)};`,
  };
}

function computedAlready({ plugin, name: table }: TableSpec, column: ColumnSpec): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_COLUMN_RETYPED',
    reason: `Table ${quoteIdentifier(table)}: column ${quoteIdentifier(column.name)} is computed by the database, but the field is written in the model.`,
    remedy: `Add the statement to a migration of the plugin, which keeps the values: ${alterColumn(table, column.name, 'DROP EXPRESSION')};`,
  };
}
