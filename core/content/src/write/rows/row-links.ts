import type { InnerStatement } from '@gantry/core-database';
import { type FieldDescriptor, type ItemTypeDescriptor, isLinked } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { linkAllStatement, unlinkAllStatement } from '../../sql/bulk-statements';

/** Items with the values that are written; of their MULTIPLE references, those that have a value. */
export type LinkedRows = readonly { readonly id: string; readonly values: StoredValues }[];

/** Add the links of the fields that the values hold, in their order; there must be none of these fields yet. */
export function linking(type: ItemTypeDescriptor, rows: LinkedRows): readonly InnerStatement[] {
  return type.fields.filter(isLinked).flatMap((field) => {
    const links = rows.flatMap(({ id, values }) => linksOf(id, values.get(field.name)));
    if (links.length === 0) return [];
    const arrays = [
      links.map(({ item }) => item),
      links.map(({ target }) => target),
      links.map(({ position }) => position),
    ];
    return [{ sql: linkAllStatement(field), values: arrays }];
  });
}

/** The same for items that may have links of these fields, which are removed. */
export function relinking(type: ItemTypeDescriptor, rows: LinkedRows): readonly InnerStatement[] {
  const removing = type.fields.filter(isLinked).flatMap((field) => {
    const ids = rows.flatMap(({ id, values }) => (hasLinks(field, values) ? [id] : []));
    return ids.length === 0 ? [] : [{ sql: unlinkAllStatement(field), values: [ids] }];
  });
  return [...removing, ...linking(type, rows)];
}

function hasLinks(field: FieldDescriptor, values: StoredValues): boolean {
  return Array.isArray(values.get(field.name));
}

function linksOf(item: string, value: StoredValue | undefined) {
  const targets: readonly string[] = Array.isArray(value) ? value : [];
  return targets.map((target, index) => ({ item, target, position: index + 1 }));
}
