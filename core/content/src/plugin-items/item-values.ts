import type { ItemTypeDescriptor } from '../compile/descriptor';
import { parseWrittenJson, type JsonObject } from '@gantry/core-common';
import { readValues } from './item-arguments';

/** An item as plugin code gets it. */
export type PlainItem = Readonly<Record<string, unknown>>;

/** The values of plugin code as a payload. What is no field is left to the payload's reader to refuse. */
export function payloadOf(type: ItemTypeDescriptor, values: unknown): JsonObject {
  const payload: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(readValues(type, values))) if (value !== undefined) payload[name] = value;
  for (const field of type.fields) {
    const value = payload[field.name];
    if (value !== undefined && value !== null) payload[field.name] = field.kind.fromModel(value);
  }
  return payload;
}

/** The items of a JSON array of rows. */
export function itemsOf(type: ItemTypeDescriptor, rows: string): readonly PlainItem[] {
  return (parseWrittenJson(rows) as readonly Row[]).map((row) => itemOfRow(type, row));
}

/** The item of a row as JSON text. */
export function itemOf(type: ItemTypeDescriptor, row: string): PlainItem {
  return itemOfRow(type, parseWrittenJson(row) as Row);
}

interface Row {
  readonly id: unknown;
  readonly values: Readonly<Record<string, unknown>>;
}

function itemOfRow(type: ItemTypeDescriptor, { id, values }: Row): PlainItem {
  const item: Record<string, unknown> = { id: String(id) };
  for (const field of type.fields) {
    const value = values[field.name];
    item[field.name] = value === null || value === undefined ? null : field.kind.toModel(value);
  }
  item['createdAt'] = new Date(String(values['createdAt']));
  item['updatedAt'] = new Date(String(values['updatedAt']));
  item['version'] = Number(values['version']);
  return Object.freeze(item);
}
