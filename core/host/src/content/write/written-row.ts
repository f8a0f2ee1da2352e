import type { JsonObject } from '../../common/json';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { WrittenRow } from './write-dependencies';
import { itemNotFound } from './write-problems';

export function sentFields({ fields }: ItemTypeDescriptor, payload: JsonObject): readonly string[] {
  return fields.flatMap(({ name }) => (Object.hasOwn(payload, name) ? [name] : []));
}

/** @throws GantryError ITEM_NOT_FOUND for an item that a hook has deleted */
export function foundRow(type: ItemTypeDescriptor, id: string, row: WrittenRow | undefined): WrittenRow {
  if (row === undefined) throw itemNotFound(type, id);
  return row;
}
