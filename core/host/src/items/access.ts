import type { FieldDescriptor, ItemTypeDescriptor } from './descriptor';
import type { ItemTypes } from './item-types';

/**
 * The one place that decides which types and fields a request may see, search and change.
 * Metadata, list, search, sort, references, export and OpenAPI ask it. Until sign-in exists, everything is open
 * on loopback; only types that are declared read-only refuse changes.
 */
export interface Access {
  visibleTypes(): readonly ItemTypeDescriptor[];
  visibleFields(type: ItemTypeDescriptor): readonly FieldDescriptor[];
  searchableFields(type: ItemTypeDescriptor): readonly FieldDescriptor[];
  mayWrite(type: ItemTypeDescriptor): boolean;
}

/** @param isServed whether the plugin of that id is in use; one that fails at its start takes its types away again */
export function createOpenAccess(types: ItemTypes, isServed: (plugin: string) => boolean = () => true): Access {
  const all = types.all.map((type) => type.descriptor);
  const searchable = new Map(all.map((type) => [type.code, type.fields.filter((field) => field.searchable)]));
  return Object.freeze({
    visibleTypes: () => all.filter((type) => isServed(type.plugin)),
    visibleFields: (type: ItemTypeDescriptor) => type.fields,
    searchableFields: (type: ItemTypeDescriptor) => searchable.get(type.code) ?? [],
    mayWrite: (type: ItemTypeDescriptor) => !type.readOnly,
  });
}
