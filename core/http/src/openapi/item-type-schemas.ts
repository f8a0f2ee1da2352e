import { describeCondition } from '@gantry/contracts';
import {
  mustBeGiven,
  sourcesOf,
  shownAuthorFields,
  maxCriteria,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
} from '@gantry/core-content';
import { criterionSchema, object } from './field-schemas';
import { component, envelope, type Schema } from './document';

/** The component schemas of one item type. Their names begin with the class name, which no other type has. */
export function itemTypeSchemas(type: ItemTypeDescriptor): Readonly<Record<string, Schema>> {
  const row = rowSchema(type);
  return {
    [schemaName(type, 'Row')]: row,
    [schemaName(type, 'Criteria')]: criteriaSchema(type),
    ...(type.readOnly
      ? {}
      : {
          [schemaName(type, 'Create')]: { ...createSchema(type), ...exampleOf(type, 'create') },
          [schemaName(type, 'Update')]: { ...updateSchema(type), ...exampleOf(type, 'update') },
        }),
    [schemaName(type, 'Sort')]: {
      type: 'string',
      enum: sortFields(type).flatMap((name) => [name, `-${name}`]),
      default: '-id',
    },
    [schemaName(type, 'RowEnvelope')]: envelope(typeSchema(type, 'Row')),
    [schemaName(type, 'ListEnvelope')]: envelope(
      { type: 'array', items: typeSchema(type, 'Row') },
      component('schemas', 'ListMeta'),
    ),
  };
}

/** The schemas of a type where it may be any. */
export const anyTypeSchemas: Readonly<Record<string, Schema>> = {
  ItemRow: object({ id: component('schemas', 'ItemId'), values: { type: 'object' } }),
  ItemCriteria: { type: 'array', items: {}, maxItems: maxCriteria, description: 'An item must meet all of them.' },
  ItemCreate: { type: 'object' },
  ItemUpdate: { type: 'object' },
  ItemSort: { type: 'string' },
  ItemRowEnvelope: envelope(component('schemas', 'ItemRow')),
  ItemListEnvelope: envelope(
    { type: 'array', items: component('schemas', 'ItemRow') },
    component('schemas', 'ListMeta'),
  ),
};

type SchemaSuffix = 'Row' | 'Criteria' | 'Create' | 'Update' | 'Sort' | 'RowEnvelope' | 'ListEnvelope';

/** Reference to a component schema of the type. */
function typeSchema(type: ItemTypeDescriptor, suffix: SchemaSuffix): Schema {
  return component('schemas', schemaName(type, suffix));
}

/** Fields by which criteria select; `id` is always among them (specification 4.4). */
function criterionFields(type: ItemTypeDescriptor): readonly string[] {
  return ['id', ...type.fields.filter(({ searchable }) => searchable).map(({ name }) => name)];
}

/** Fields that a list can be sorted by. */
function sortFields(type: ItemTypeDescriptor): readonly string[] {
  const sortable = type.fields.filter((field) => field.searchable && field.kind.isSortable && !isLinked(field));
  return [...new Set(['id', 'createdAt', 'updatedAt', ...sortable.map(({ name }) => name)])];
}

/** An item of the type as one would send it: required fields and those with an example that is known to hold. */
export function examplePayload(type: ItemTypeDescriptor): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    type.fields.filter(isSet).flatMap((field) => {
      const value = exampleValue(field);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** A new item without one of the values that it needs is no example. */
function exampleOf(type: ItemTypeDescriptor, mode: 'create' | 'update'): { readonly examples?: readonly unknown[] } {
  const payload = examplePayload(type);
  if (mode === 'update') {
    const fixed = new Set(type.fields.filter(({ editableOnUpdate }) => !editableOnUpdate).map(({ name }) => name));
    return { examples: [Object.fromEntries(Object.entries(payload).filter(([name]) => !fixed.has(name)))] };
  }
  const isComplete = type.fields.filter(mustBeGiven).every(({ name }) => Object.hasOwn(payload, name));
  return isComplete ? { examples: [payload] } : {};
}

function schemaName(type: ItemTypeDescriptor, suffix: SchemaSuffix): string {
  return `${type.className}${suffix}`;
}

function rowSchema(type: ItemTypeDescriptor): Schema {
  const values = {
    ...Object.fromEntries(type.fields.map((field) => [field.name, shownValue(field)])),
    createdAt: component('schemas', 'Instant'),
    updatedAt: component('schemas', 'Instant'),
    version: component('schemas', 'ItemVersion'),
  };
  // A role may show a field on some items only.
  const shownOnSome = new Set(type.fields.filter(({ shownOn }) => shownOn !== undefined).map(({ name }) => name));
  const required = Object.keys(values).filter((name) => !shownOnSome.has(name));
  const authors = Object.fromEntries(
    shownAuthorFields(type).map(({ name }) => [
      name,
      { type: 'string', description: 'Id of the user, where there is one.' },
    ]),
  );
  return {
    type: 'object',
    required: ['id', 'values'],
    properties: {
      id: component('schemas', 'ItemId'),
      values: { type: 'object', required, properties: { ...values, ...authors } },
    },
  };
}

/** A value that is computed comes in no payload. */
function isSet({ computed }: FieldDescriptor): boolean {
  return computed === undefined;
}

/** A schema beside a reference to another one would have no effect in older readers of OpenAPI; no kind that is computed has such. */
function shownValue(field: FieldDescriptor): Schema {
  const schema = field.kind.rowSchema(field);
  if (isSet(field)) return schema;
  const from = field.computed?.from ?? [];
  const made = `Computed${from.length === 0 ? '' : ` from ${from.join(', ')}`}; cannot be set.`;
  return { ...schema, readOnly: true, description: field.help === undefined ? made : `${made} ${field.help}` };
}

function createSchema(type: ItemTypeDescriptor): Schema {
  const required = type.fields.filter(mustBeGiven).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    properties: Object.fromEntries(type.fields.filter(isSet).map((field) => [field.name, acceptedValue(field)])),
  };
}

/** Without the fields that are set on create only: a client sends none of them. */
function updateSchema(type: ItemTypeDescriptor): Schema {
  const editable = type.fields.filter(({ editableOnUpdate }) => editableOnUpdate);
  const fixed = type.fields.filter((field) => isSet(field) && !field.editableOnUpdate).map(({ name }) => name);
  return {
    type: 'object',
    ...(fixed.length === 0
      ? {}
      : { description: `Without ${fixed.join(', ')}: set on create; only the value that the item has is accepted.` }),
    additionalProperties: false,
    properties: Object.fromEntries(editable.map((field) => [field.name, acceptedValue(field)])),
  };
}

/** The value in a payload, as the kind of the field accepts it. */
function acceptedValue(field: FieldDescriptor): Schema {
  const { type, enum: options, ...schema } = field.kind.jsonSchema(field);
  const nullable = !field.required;
  const [main, ...others] = [type].flat();
  return {
    title: field.displayName,
    ...schema,
    type: nullable ? [main, 'null', ...others] : type,
    ...(options === undefined ? {} : { enum: nullable ? [...(options as readonly unknown[]), null] : options }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...descriptionOf(field),
  };
}

function descriptionOf(field: FieldDescriptor): { readonly description?: string } {
  const sources = sourcesOf(field);
  const { requiredIf } = field;
  const reason = requiredIf === undefined ? '' : describeCondition(requiredIf);
  const parts = [
    ...field.kind.describe(field),
    ...(requiredIf === undefined ? [] : [reason === '' ? 'Required.' : `Required if ${reason}.`]),
    ...(sources.length === 0 ? [] : [`Made from ${sources.join(', ')} where a new item has none.`]),
    ...(field.help === undefined ? [] : [field.help]),
  ];
  return parts.length === 0 ? {} : { description: parts.join(' ') };
}

function criteriaSchema(type: ItemTypeDescriptor): Schema {
  const criterion = criterionSchema({
    description: `One of ${criterionFields(type).join(', ')}; any other is skipped and named in \`meta.skipped\`, or refused with \`strict=true\`.`,
    examples: criterionFields(type),
  });
  return {
    type: 'array',
    description: 'An item must meet all of them.',
    maxItems: maxCriteria,
    examples: [[]],
    items: { anyOf: [criterion, component('schemas', 'CriteriaGroup')] },
  };
}

/** Undefined for a field whose pattern the example of its kind does not have. */
function exampleValue(field: FieldDescriptor): unknown {
  if (field.default !== undefined) return field.default;
  if (field.options !== undefined) return field.options[0];
  const value = field.kind.example(field);
  const { pattern } = field.kind.jsonSchema(field);
  const fits = typeof value !== 'string' || typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
  return fits ? value : undefined;
}
