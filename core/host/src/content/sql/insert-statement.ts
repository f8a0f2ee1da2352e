import { originSetting, quoteIdentifier, type ParameterValue } from '@gantry/core-database';
import { writtenFields } from '../compile/author-fields';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValue } from '../kinds/field-kind';
import type { Presentation } from './row-json';

/**
 * Says who writes, for the triggers of the same statement. To be selected from, so that it is evaluated before them.
 * @param parameter has the origin of the change
 */
export function originOf(parameter: string): string {
  return `o AS MATERIALIZED (SELECT set_config('${originSetting}', ${parameter}, true))`;
}

/**
 * Creates an item and gives its row, in one statement and so in one transaction. Parameters: the values of the fields
 * with a column, in order, and the origin of the change. One row: [JSON of the row, version, id]; none when there is an item with the same key.
 */
export function insertStatement(
  type: ItemTypeDescriptor,
  row: Presentation,
  unlessKey: readonly FieldDescriptor[] = [],
): string {
  const stored = storedFields(type);
  const columns = [...stored.map((field) => quoteIdentifier(field.column)), 'created_at', 'updated_at'];
  const values = [...stored.map((field, index) => `$${index + 1}::${field.columnType}`), 'now()', 'now()'];
  const key = unlessKey.map(({ column }) => quoteIdentifier(column)).join(', ');
  const unless = key === '' ? '' : ` ON CONFLICT (${key}) DO NOTHING`;
  return (
    `WITH ${originOf(`$${stored.length + 1}`)}, t AS (INSERT INTO ${quoteIdentifier(type.table)} (${columns.join(', ')})` +
    ` SELECT ${values.join(', ')} FROM o${unless} RETURNING *)` +
    ` SELECT ${row.expression}, t.version, t.id FROM t${row.joins}`
  );
}

/** The fields that are columns of the type's own table and are written, with those that the platform fills. */
export function storedFields(type: ItemTypeDescriptor): readonly FieldDescriptor[] {
  return writtenFields(type).filter((field) => field.column !== '' && field.computed === undefined);
}

/** As a parameter of a column; lists of ids are no columns. */
export function columnValue(value: StoredValue | undefined): ParameterValue {
  return value === undefined || typeof value === 'object' ? null : value;
}
