import { deepFreeze } from '../../common/deep-freeze';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { createItemTypes, type ItemTypes } from '../compile/item-types';

/** What a policy shows of the item types. */
export interface Visibility {
  showsType(type: ItemTypeDescriptor): boolean;
  showsField(type: ItemTypeDescriptor, field: FieldDescriptor): boolean;
  /** Whether any action that changes items is allowed. */
  isWritable(type: ItemTypeDescriptor): boolean;
}

/** The item types without what is hidden. To be made once for a policy, as statements are kept by these types. */
export function restrictTypes(types: ItemTypes, visibility: Visibility): ItemTypes {
  const shown = types.all.filter(({ descriptor }) => visibility.showsType(descriptor));
  const codes = new Set(shown.map(({ descriptor }) => descriptor.code));
  return createItemTypes(
    shown.map((type) => restrictType(type, codes, visibility)),
    types.isServed,
  );
}

function restrictType(
  { model, descriptor, stored = descriptor }: CompiledItemType,
  shownTypes: ReadonlySet<string>,
  visibility: Visibility,
): CompiledItemType {
  const fields = descriptor.fields.filter((field) => visibility.showsField(descriptor, field));
  const names = new Set(fields.map(({ name }) => name));
  const { heading, ...rest } = descriptor;
  const restricted: ItemTypeDescriptor = {
    ...rest,
    ...(heading === undefined || !names.has(heading) ? {} : { heading }),
    readOnly: descriptor.readOnly || !visibility.isWritable(descriptor),
    fields: fields.map((field) => withoutHiddenTarget(field, shownTypes)),
    columns: descriptor.columns.filter((name) => names.has(name)),
    editableColumns: descriptor.editableColumns.filter((name) => names.has(name)),
    unique: descriptor.unique.filter((set) => set.every((name) => names.has(name))),
    labelFields: descriptor.labelFields.filter((name) => names.has(name)),
  };
  return { model, descriptor: deepFreeze(restricted), stored };
}

/** Of a reference to items of a hidden type, ids are shown, and neither labels nor the name of the type. */
function withoutHiddenTarget(field: FieldDescriptor, shownTypes: ReadonlySet<string>): FieldDescriptor {
  const { reference } = field;
  if (reference === undefined || shownTypes.has(reference.target)) return field;
  return { ...field, reference: { ...reference, target: '', qualifiedName: '' } };
}
