import type { FieldDescriptor, ItemTypeDescriptor } from '../../compile/descriptor';
import { isLinked } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { currentValuesStatement } from '../../sql/bulk-statements';
import type { WriteSession } from './write-session';

/** The values that an item has in these fields, also where a policy does not show them; none where it does not show the item. */
export async function currentValues(
  { query }: WriteSession,
  type: ItemTypeDescriptor,
  id: string,
  names: ReadonlySet<string>,
): Promise<StoredValues> {
  const fields = type.fields.filter(({ name }) => names.has(name));
  if (fields.length === 0) return new Map();
  const statement = currentValuesStatement(type, fields.map(onAllItems));
  const [row = {}] = await query<Readonly<Record<string, StoredValue>>>(statement, [[id]]);
  return new Map(fields.map((field, index) => [field.name, row[`f${index}`] ?? (isLinked(field) ? [] : null)]));
}

function onAllItems({ shownOn: _shownOn, ...field }: FieldDescriptor): FieldDescriptor {
  return field;
}
