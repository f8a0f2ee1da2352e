import { isLinked, type FieldDescriptor, type ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { currentValuesStatement } from '../../sql/bulk-statements';
import type { WriteSession } from './write-session';

/** The values that an item has in these fields, also where a policy does not show them; none where it does not show the item. */
export function currentValues(
  session: WriteSession,
  type: ItemTypeDescriptor,
  id: string,
  names: ReadonlySet<string>,
): Promise<StoredValues> {
  const fields = type.fields.filter(({ name }) => names.has(name));
  return valuesOf(session, type, id, fields.map(onAllItems));
}

/** The values that the policy shows on the item. */
export function shownValues(session: WriteSession, type: ItemTypeDescriptor, id: string): Promise<StoredValues> {
  const stored = type.fields.filter((field) => field.column !== '' || isLinked(field));
  return valuesOf(session, type, id, stored);
}

async function valuesOf(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  id: string,
  fields: readonly FieldDescriptor[],
): Promise<StoredValues> {
  if (fields.length === 0) return new Map();
  const [row = {}] = await query<Readonly<Record<string, StoredValue>>>(currentValuesStatement(type, fields), [[id]]);
  return valuesIn(row, fields);
}

/** The values of fields in a row that has them as `f<position>`. */
export function valuesIn(row: Readonly<Record<string, StoredValue>>, fields: readonly FieldDescriptor[]): StoredValues {
  return new Map(fields.map((field, index) => [field.name, row[`f${index}`] ?? (isLinked(field) ? [] : null)]));
}

function onAllItems({ shownOn: _shownOn, ...field }: FieldDescriptor): FieldDescriptor {
  return field;
}
