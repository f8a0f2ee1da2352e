import { type FieldDescriptor, type ItemTypeDescriptor, isLinked } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { linkAllStatement, unlinkAllStatement } from '../../sql/bulk-statements';
import type { WriteSession } from './write-session';

/** Items with the values that are written; of their MULTIPLE references, those that have a value. */
export type LinkedRows = readonly { readonly id: string; readonly values: StoredValues }[];

/** Adds the links of the fields that the values hold, in their order; there must be none of these fields yet. */
export async function addLinks({ query }: WriteSession, type: ItemTypeDescriptor, rows: LinkedRows): Promise<void> {
  for (const field of type.fields.filter(isLinked)) {
    const links = rows.flatMap(({ id, values }) => linksOf(id, values.get(field.name)));
    if (links.length === 0) continue;
    const arrays = [
      links.map(({ item }) => item),
      links.map(({ target }) => target),
      links.map(({ position }) => position),
    ];
    await query(linkAllStatement(field), arrays);
  }
}

/** The same for items that may have links of these fields, which are removed. */
export async function replaceLinks(session: WriteSession, type: ItemTypeDescriptor, rows: LinkedRows): Promise<void> {
  for (const field of type.fields.filter(isLinked)) {
    const ids = rows.flatMap(({ id, values }) => (hasLinks(field, values) ? [id] : []));
    if (ids.length > 0) await session.query(unlinkAllStatement(field), [ids]);
  }
  await addLinks(session, type, rows);
}

function hasLinks(field: FieldDescriptor, values: StoredValues): boolean {
  return Array.isArray(values.get(field.name));
}

function linksOf(item: string, value: StoredValue | undefined) {
  const targets: readonly string[] = Array.isArray(value) ? value : [];
  return targets.map((target, index) => ({ item, target, position: index + 1 }));
}
