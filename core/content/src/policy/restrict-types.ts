import { fieldsDecidingOn, itemActions, type ItemAction } from '@gantry/contracts';
import { deepFreeze, onceFor } from '@gantry/core-common';
import type { CompiledItemType, FieldDescriptor, ItemTypeDescriptor, RowRules } from '../compile/descriptor';
import { createItemTypes, type ItemTypes } from '../compile/item-types';
import { alwaysRequired } from '../compile/field-conditions';

/** The rights that a policy gives on an item type. */
export interface TypeRights {
  /** Without `read`, the type is hidden. */
  readonly actions: readonly ItemAction[];
  showsField(field: FieldDescriptor): boolean;
  isCreatable(field: FieldDescriptor): boolean;
  isUpdatable(field: FieldDescriptor): boolean;
  /** SQL condition of the items on which a field is shown, where that is not all that are. */
  shownOn(field: FieldDescriptor): string | undefined;
  /** Whether the users are shown who wrote an item. */
  readonly showsAuthors: boolean;
  /** Undefined where all is of all items. */
  readonly rows: RowRules | undefined;
}

/** The item types without what is hidden. To be made once for a policy, as statements are kept by these types. */
export function restrictTypes(types: ItemTypes, rightsOn: (type: ItemTypeDescriptor) => TypeRights): ItemTypes {
  const shown = types.all
    .map((type) => ({ type, rights: rightsOn(type.descriptor) }))
    .filter(({ rights }) => rights.actions.includes('read'));
  const codes = new Set(shown.map(({ type }) => type.descriptor.code));
  const restricted = new Map(
    shown.map(({ type, rights }) => [type.descriptor.code, restrictType(type, codes, rights)]),
  );
  const isWhole = (code: string): boolean => restricted.get(code) === types.find(code);
  return createItemTypes(
    [...restricted.values()].map((type) => (referredTypes(type).every(isWhole) ? type : ownCopy(type))),
    types.isServed,
  );
}

function referredTypes({ descriptor }: CompiledItemType): readonly string[] {
  return descriptor.fields.flatMap(({ reference }) =>
    reference === undefined || reference.target === '' ? [] : [reference.target],
  );
}

/**
 * Statements are kept by the descriptor, and have the labels of items that are referred to: where the policy restricts these, they
 * must not be those of other policies.
 */
function ownCopy({ model, descriptor, stored = descriptor }: CompiledItemType): CompiledItemType {
  return { model, descriptor: Object.freeze({ ...descriptor }), stored };
}

/** A type of which everything is allowed is the same object for all policies. */
function restrictType(type: CompiledItemType, shownTypes: ReadonlySet<string>, rights: TypeRights): CompiledItemType {
  const { model, descriptor, stored = descriptor } = type;
  const { actions, rows, showsAuthors } = rights;
  const shown = descriptor.fields.filter((field) => rights.showsField(field));
  // A type that only its plugin writes has no field that anyone sets.
  const ruled = descriptor.readOnly ? shown : shown.map((field) => restrictField(field, rights));
  const placed = ruled.map((field) => onItems(withoutHiddenTarget(field, shownTypes), rights.shownOn(field)));
  const fields = withoutHiddenConditions(placed, descriptor.fields);
  const isWhole = itemActions.every((action) => actions.includes(action));
  const isSame =
    fields.length === descriptor.fields.length && fields.every((field) => descriptor.fields.includes(field));
  // A field that is shown on some items only makes writes depend on the item as well.
  const rules = rows ?? (fields.some(({ shownOn }) => shownOn !== undefined) ? {} : undefined);
  if (isWhole && isSame && showsAuthors && rules === undefined) return type;
  const names = new Set(fields.map(({ name }) => name));
  const everywhere = new Set(fields.flatMap(({ name, shownOn }) => (shownOn === undefined ? [name] : [])));
  const editable = new Set(fields.filter(({ editableOnUpdate }) => editableOnUpdate).map(({ name }) => name));
  const { heading, label, ...rest } = descriptor;
  const restricted: ItemTypeDescriptor = {
    ...rest,
    ...(heading === undefined || !everywhere.has(heading) ? {} : { heading }),
    ...(label === undefined || !everywhere.has(label) ? {} : { label }),
    ...(isWhole ? {} : { actions: itemActions.filter((action) => actions.includes(action)) }),
    ...(rules === undefined ? {} : { rows: rules }),
    ...(showsAuthors ? {} : { hidesAuthors: true }),
    fields,
    searchResult: isSame ? descriptor.searchResult : withoutHidden(descriptor),
    columns: descriptor.columns.filter((name) => names.has(name)),
    editableColumns: descriptor.editableColumns.filter((name) => editable.has(name)),
    unique: descriptor.unique.filter((set) => set.every((name) => everywhere.has(name))),
    labelFields: descriptor.labelFields.filter((name) => everywhere.has(name)),
  };
  return { model, descriptor: deepFreeze(restricted), stored };
}

/** A function of a plugin may expect what the policy hides: such results have the name of the type as their label. */
function withoutHidden({ searchResult: present, className }: ItemTypeDescriptor): ItemTypeDescriptor['searchResult'] {
  if (typeof present !== 'function') return present;
  return (row) => {
    let result: Partial<ReturnType<typeof present>>;
    try {
      result = present(row);
    } catch {
      result = {};
    }
    return { label: result.label ?? className, subLabel: result.subLabel ?? '' };
  };
}

function restrictField(field: FieldDescriptor, { isCreatable, isUpdatable }: TypeRights): FieldDescriptor {
  const creatable = isCreatable(field) ? field : notOnCreate(field);
  return isUpdatable(field) || !creatable.editableOnUpdate ? creatable : notOnUpdate(creatable);
}

/** One object for all policies. */
const notOnCreate = onceFor((field: FieldDescriptor): FieldDescriptor =>
  deepFreeze({ ...field, editableOnCreate: false }),
);
const notOnUpdate = onceFor((field: FieldDescriptor): FieldDescriptor =>
  deepFreeze({ ...field, editableOnUpdate: false }),
);

function onItems(field: FieldDescriptor, shownOn: string | undefined): FieldDescriptor {
  return shownOn === undefined ? field : deepFreeze({ ...field, shownOn });
}

/**
 * A condition on a field that is not shown, or on some items only, is none that the user may know. What it can require is always
 * required then: an answer that depends on the hidden value would say what that is.
 */
function withoutHiddenConditions(
  fields: readonly FieldDescriptor[],
  all: readonly FieldDescriptor[],
): readonly FieldDescriptor[] {
  const shown = new Set(fields.flatMap(({ name, shownOn }) => (shownOn === undefined ? [name] : [])));
  return fields.map((field) => {
    if ([...fieldsDecidingOn(field, all)].every((name) => shown.has(name))) return field;
    const { visibleIf: _visibleIf, requiredIf, ...rest } = field;
    return Object.freeze(requiredIf === undefined ? rest : { ...rest, requiredIf: alwaysRequired });
  });
}

/** Of a reference to items of a hidden type, ids are shown, and neither labels nor the name of the type. */
function withoutHiddenTarget(field: FieldDescriptor, shownTypes: ReadonlySet<string>): FieldDescriptor {
  const { reference, links } = field;
  if (links !== undefined) {
    if (links.targets.every(({ target }) => shownTypes.has(target))) return field;
    const targets = links.targets.map((one) =>
      shownTypes.has(one.target) ? one : { ...one, isHidden: true as const },
    );
    return { ...field, links: { ...links, targets } };
  }
  if (reference === undefined || reference.target === '' || shownTypes.has(reference.target)) return field;
  return { ...field, reference: { ...reference, target: '', qualifiedName: '' } };
}
