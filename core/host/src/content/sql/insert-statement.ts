import { quoteIdentifier } from '../../database/identifiers';
import { writtenFields } from '../compile/author-fields';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { Presentation } from './row-json';

/**
 * Creates an item and gives its row, in one statement and so in one transaction. Parameters: the values of the fields
 * with a column, in order. One row: [JSON of the row, version, id]; none when there is an item with the same key.
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
    `WITH t AS (INSERT INTO ${quoteIdentifier(type.table)} (${columns.join(', ')}) VALUES (${values.join(', ')})${unless} RETURNING *)` +
    ` SELECT ${row.expression}, t.version, t.id FROM t${row.joins}`
  );
}

/** The fields that are columns of the type's own table, with those that the platform fills. */
export function storedFields(type: ItemTypeDescriptor): readonly FieldDescriptor[] {
  return writtenFields(type).filter((field) => field.column !== '');
}
