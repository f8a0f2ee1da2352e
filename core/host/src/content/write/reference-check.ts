import type { ErrorDetail } from '@gantry/contracts';
import type { RunQuery } from '../../database/prepared-query';
import { type FieldDescriptor, type ItemTypeDescriptor, hidesItems } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { StoredValue, StoredValues } from '../kinds/field-kind';
import { rowsOf } from '../sql/rows';

/** A problem for every id among the values that no item of the target type has. */
export async function missingReferences(
  type: ItemTypeDescriptor,
  values: StoredValues,
  parts: { readonly types: ItemTypes; readonly query: RunQuery },
): Promise<readonly ErrorDetail[]> {
  const checks = type.fields.flatMap((field) => {
    const target = field.reference === undefined ? undefined : parts.types.find(field.reference.target)?.descriptor;
    const ids = idsOf(values.get(field.name));
    return target === undefined || ids.length === 0 ? [] : [{ field, target, ids }];
  });
  const hidden = hiddenReferences(type, values);
  const problems = await Promise.all(
    checks.map(async ({ field, target, ids }) => {
      const sql =
        `SELECT u.id::text FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, position)` +
        ` WHERE NOT EXISTS (SELECT 1 FROM ${rowsOf(target)} t WHERE t.id = u.id) ORDER BY u.position`;
      const rows = await parts.query({ sql, values: [ids] });
      return rows.map((row) => missing(field, target.displayName, String(row[0])));
    }),
  );
  return [...hidden, ...problems.flat()];
}

/** A problem for every reference to a type that a policy hides: its items are as good as none. */
function hiddenReferences(type: ItemTypeDescriptor, values: StoredValues): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  for (const field of type.fields) {
    if (field.reference?.target !== '') continue;
    for (const id of idsOf(values.get(field.name))) problems.push(missing(field, 'an item', id));
  }
  return problems;
}

/** Whether a policy may hide an item that the values refer to, which the database would not refuse. */
export function mayMissItems(type: ItemTypeDescriptor, values: StoredValues, types: ItemTypes): boolean {
  return type.fields.some(({ name, reference }) => {
    if (reference === undefined || idsOf(values.get(name)).length === 0) return false;
    const target = types.find(reference.target)?.descriptor;
    return reference.target === '' || (target !== undefined && hidesItems(target));
  });
}

/** An item cannot refer to itself: nothing could ever delete it, and a parent above itself has no meaning. */
export function selfReferences(type: ItemTypeDescriptor, id: string, values: StoredValues): readonly ErrorDetail[] {
  return type.fields
    .filter((field) => field.reference?.target === type.code && idsOf(values.get(field.name)).includes(id))
    .map((field) => ({
      path: field.name,
      code: 'SELF_REFERENCE',
      message: `${field.name} must not refer to the item itself`,
    }));
}

function idsOf(value: StoredValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function missing(field: FieldDescriptor, target: string, id: string): ErrorDetail {
  return {
    path: field.name,
    code: 'REFERENCE_NOT_FOUND',
    message: `${field.name} refers to ${target} ${id}, which does not exist`,
  };
}
