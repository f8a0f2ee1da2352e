import type { Column, FieldHints, FormField, ItemMetadata, ModelInfo, SearchField } from '@gantry/contracts';
import { sourcesOf } from '../kinds/derivation';
import { operatorsOf, searchableFields } from '../query/criteria';
import { isReadOnly, type FieldDescriptor, type ItemTypeDescriptor } from '../compile/descriptor';

/** One entry of the type list. */
export function modelInfo(type: ItemTypeDescriptor): ModelInfo {
  return {
    type: type.code,
    displayName: type.displayName,
    displayNamePlural: type.displayNamePlural,
    plugin: type.plugin,
    pluginName: type.pluginName,
    readOnly: type.readOnly,
    ...(type.singleton === undefined ? {} : { singleton: true }),
    ...(type.heading === undefined ? {} : { heading: type.heading }),
    ...(type.label === undefined ? {} : { labelField: type.label }),
    ...(type.actions === undefined ? {} : { actions: type.actions }),
    ...(type.icon === undefined ? {} : { icon: type.icon }),
  };
}

/** The metadata of a type: what clients build tables, forms and search bars from (specification, section 2). */
export function itemMetadata(type: ItemTypeDescriptor): ItemMetadata {
  return {
    code: type.code,
    displayName: type.displayName,
    displayNamePlural: type.displayNamePlural,
    columnShown: type.columns.flatMap((name, order) => {
      const field = type.fields.find((candidate) => candidate.name === name);
      return field === undefined ? [] : [column(field, order)];
    }),
    searchable: searchFields(type),
    fields: type.fields.map(formField),
    ...(type.heading === undefined ? {} : { heading: type.heading }),
    ...(type.label === undefined ? {} : { labelField: type.label }),
    ...(type.editableColumns.length === 0 || type.readOnly ? {} : { editableColumns: type.editableColumns }),
    readOnly: type.readOnly,
    ...(type.singleton === undefined ? {} : { singleton: true }),
    ...(type.actions === undefined ? {} : { actions: type.actions }),
  };
}

/** The fields that are declared searchable. */
export function searchFields(type: ItemTypeDescriptor): readonly SearchField[] {
  return [...searchableFields(type).values()].map((field) => ({
    name: field.name,
    displayName: field.displayName,
    type: field.type.toLowerCase() as SearchField['type'],
    ...given(field, hints),
    ...field.kind.searchMembers(field),
    operators: operatorsOf(field.kind),
  }));
}

function column(field: FieldDescriptor, order: number): Column {
  return { name: field.name, displayName: field.displayName, type: field.type, order };
}

function formField(field: FieldDescriptor): FormField {
  const sources = sourcesOf(field);
  const onDelete = (field.reference ?? field.links)?.onDelete;
  return {
    name: field.name,
    displayName: field.displayName,
    type: field.type,
    required: field.required,
    editableOnUpdate: field.editableOnUpdate,
    ...(field.editableOnCreate === undefined ? {} : { editableOnCreate: false }),
    ...(isReadOnly(field) ? { readOnly: true } : {}),
    placeholder: field.placeholder,
    ...given(field, formRules),
    ...(sources.length === 0 ? {} : { derivedFrom: sources }),
    ...(field.computed === undefined ? {} : { computed: true }),
    ...field.kind.formMembers(field),
    ...(onDelete === undefined ? {} : { onDelete }),
    ...given(field, hints),
  };
}

/** Where the form has the field, and when. */
const formRules = ['tab', 'width', 'format', 'visibleIf', 'requiredIf'] as const;

const hints = [
  ...(['options', 'optionColors', 'optionLabels', 'multiple', 'help', 'section'] as const),
  ...(['maxLength', 'min', 'max', 'pattern', 'default', 'numberKind'] as const),
] satisfies readonly (keyof FieldHints)[];

/** The members of these names that a field has. */
function given<Name extends keyof FieldDescriptor>(
  field: FieldDescriptor,
  names: readonly Name[],
): Partial<Pick<FieldDescriptor, Name>> {
  const present = names.filter((name) => field[name] !== undefined).map((name) => [name, field[name]]);
  return Object.fromEntries(present) as Partial<Pick<FieldDescriptor, Name>>;
}
