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

export function createOpenAccess(types: ItemTypes): Access {
  const visible = Object.freeze(types.all.map((type) => type.descriptor));
  const searchable = new Map(visible.map((type) => [type.code, type.fields.filter((field) => field.searchable)]));
  return Object.freeze({
    visibleTypes: () => visible,
    visibleFields: (type: ItemTypeDescriptor) => type.fields,
    searchableFields: (type: ItemTypeDescriptor) => searchable.get(type.code) ?? [],
    mayWrite: (type: ItemTypeDescriptor) => !type.readOnly,
  });
}
