import type { FieldDescriptor, ItemTypeDescriptor } from './descriptor';
import { longKind } from '../kinds/number';

/** The user who created an item, and the one who changed it last, as fields; null where it was no user who is signed in. */
const createdByField = authorField('createdBy', 'Created by', 'created_by');
const updatedByField = authorField('updatedBy', 'Changed by', 'updated_by');

function authorField(name: string, displayName: string, column: string): FieldDescriptor {
  return Object.freeze({
    ...{ name, displayName, column },
    type: longKind.type,
    kind: longKind,
    columnType: 'BIGINT',
    required: false,
    searchable: true,
    editableOnUpdate: false,
    placeholder: '',
  });
}

export function isAuthorName(name: string): boolean {
  return name === createdByField.name || name === updatedByField.name;
}

/** Columns that the platform fills, in addition to the declared fields. */
export function authorFields({ hasAuthors }: Pick<ItemTypeDescriptor, 'hasAuthors'>): readonly FieldDescriptor[] {
  return hasAuthors ? [createdByField, updatedByField] : [];
}

/** The shown fields. */
export function shownAuthorFields(
  type: Pick<ItemTypeDescriptor, 'hasAuthors' | 'hidesAuthors'>,
): readonly FieldDescriptor[] {
  return type.hidesAuthors ? [] : authorFields(type);
}

/** All fields of which an item has values in the database. */
export function writtenFields(type: ItemTypeDescriptor): readonly FieldDescriptor[] {
  return [...type.fields, ...authorFields(type)];
}

/** The fields that are columns of the type's own table and are written, with those that the platform fills. */
export function storedFields(type: ItemTypeDescriptor): readonly FieldDescriptor[] {
  return writtenFields(type).filter((field) => field.column !== '' && field.computed === undefined);
}
