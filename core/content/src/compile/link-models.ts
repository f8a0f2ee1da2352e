import { addAttribute, addOptions, DataType, getAttributes } from 'sequelize-typescript';
import type { Model, ModelAttributeColumnOptions } from 'sequelize';
import { authorFields, writtenFields } from './author-fields';
import { type CompiledItemType, type FieldDescriptor, type ItemTypeDescriptor, isLinked } from './descriptor';
import { identifier } from '@gantry/core-database';
import { defaultExpression, plainIndexName, uniqueIndexName, type PlainColumns } from './tables';
import { sqlTypeOf } from '../kinds/column-type';

/** The attribute that holds a field's value: `<name>Id` for a SINGLE reference, else the name. */
export function attributeName(field: FieldDescriptor): string {
  return field.reference === undefined || isLinked(field) ? field.name : `${field.name}Id`;
}

/**
 * Gives the type's class its table and the columns of its fields. Columns that the author declared with
 * sequelize-typescript keep their options.
 */
export function prepareModel({ descriptor, model }: CompiledItemType): void {
  const { prototype } = model as { prototype: Model };
  addOptions(prototype, { tableName: descriptor.table });
  for (const { name, column } of authorFields(descriptor)) {
    addAttribute(prototype, name, { type: DataType.BIGINT, field: column, allowNull: true });
  }
  const existing = (getAttributes(prototype) as object | undefined) ?? {};
  for (const field of descriptor.fields) {
    if (field.column === '') continue;
    const name = attributeName(field);
    const authored = Object.getOwnPropertyDescriptor(existing, name)?.value as object | undefined;
    // The name that reading expects: Sequelize's own rule gives another one to names such as htmlURLs.
    const attribute = authored === undefined ? attributeOf(field) : { ...authored, field: field.column };
    addAttribute(prototype, name, { ...noValueOf(field), ...attribute });
  }
}

/** Lets a model that is in use write fields that were not known before. */
export function addAttributes(model: CompiledItemType['model'], fields: readonly FieldDescriptor[]): void {
  if (fields.length === 0) return;
  const attributes = model.getAttributes() as Record<string, ModelAttributeColumnOptions>;
  for (const field of fields) attributes[field.name] = { ...attributeOf(field), defaultValue: null };
  (model as unknown as { refreshAttributes: () => void }).refreshAttributes();
}

/** Hooks are code of the plugin, which Sequelize calls. @param enter runs code of the plugin */
export function enterHooks({ model }: CompiledItemType, enter: <T>(code: () => T) => T): void {
  const hooked = model as unknown as { runHooks: (type: string, ...values: unknown[]) => Promise<void> };
  const run = hooked.runHooks.bind(model);
  // Asked each time: a plugin may add a hook when it starts.
  hooked.runHooks = (type, ...values) =>
    model.hasHook(type as never) ? enter(() => run(type, ...values)) : run(type, ...values);
}

/**
 * A class field of each item would shadow Sequelize's accessor of the field: hooks would read undefined, and their writes would be lost.
 * Call after the models are added to Sequelize.
 * @throws Error that names the fields
 */
export function assertNothingHidden({ descriptor, model }: CompiledItemType): void {
  const item = model.build();
  const hidden = descriptor.fields.filter((field) => Object.hasOwn(item, field.name)).map(({ name }) => name);
  if (hidden.length === 0) return;
  throw new Error(
    `${descriptor.className} has ${hidden.join(', ')} as class fields, which hide the values of its items; write declare before them, or in plain JavaScript leave them out`,
  );
}

/** Associates the SINGLE references of types to any of all types, so that a plugin's own code can include them. */
export function associateReferences(types: readonly CompiledItemType[], all: readonly CompiledItemType[]): void {
  const byCode = new Map(all.map((type) => [type.descriptor.code, type.model]));
  for (const { descriptor, model } of types) {
    for (const field of descriptor.fields) {
      const target = isLinked(field) ? undefined : byCode.get(field.reference?.target ?? '');
      if (target !== undefined && !Object.hasOwn(model.associations, field.name)) {
        model.belongsTo(target, { as: field.name, foreignKey: attributeName(field), constraints: false });
      }
    }
  }
}

/** Columns and indexes that the author declared in addition to the fields. Call after the models are added to Sequelize. */
export function plainColumnsOf({ descriptor, model }: CompiledItemType): PlainColumns {
  const known = new Set(['id', 'createdAt', 'updatedAt', 'version', ...writtenFields(descriptor).map(attributeName)]);
  const attributes = model.getAttributes() as Readonly<Record<string, ModelAttributeColumnOptions>>;
  const columns = Object.entries(attributes)
    .filter(([name, attribute]) => !known.has(name) && (attribute.type as { key?: string }).key !== 'VIRTUAL')
    .map(([name, attribute]) => ({
      name: attribute.field ?? name,
      type: sqlTypeOf(attribute.type),
      nullable: attribute.allowNull ?? true,
      ...literalDefault(attribute.defaultValue),
    }));
  return { columns, indexes: plainIndexesOf(model) };
}

function plainIndexesOf(model: CompiledItemType['model']): PlainColumns['indexes'] {
  const attributes = model.getAttributes() as Readonly<Record<string, ModelAttributeColumnOptions>>;
  return [...uniqueKeysOf(model), ...indexesOf(model, attributes)];
}

/** Fields whose values are unique together. */
export interface UniqueSet {
  /** Name of the index. */
  readonly constraint: string;
  /** Names of the fields. */
  readonly fields: readonly string[];
}

/**
 * Fields of a type that are unique by `unique` of its declaration, and by unique indexes of its model. Without those that have a column
 * that is no field, or a field that the descriptor does not show on all items.
 */
export function uniqueSetsOf(
  descriptor: ItemTypeDescriptor,
  model: CompiledItemType['model'] | undefined,
): readonly UniqueSet[] {
  const { table, fields } = descriptor;
  const nameOf = (column: string): string | undefined =>
    fields.find((field) => field.column === column && field.shownOn === undefined)?.name;
  const ofModel = (model === undefined ? [] : plainIndexesOf(model)).flatMap((index): readonly UniqueSet[] => {
    const names = index.columns.flatMap((column) => nameOf(column) ?? []);
    const isShown = index.unique && names.length === index.columns.length;
    return isShown ? [{ constraint: plainIndexName(table, index), fields: names }] : [];
  });
  const declared = descriptor.unique.map((names) => ({
    constraint: uniqueIndexName(descriptor, names),
    fields: names,
  }));
  return [...declared, ...ofModel];
}

/** Defaults of the column in PostgreSQL, so that existing rows get them; functions stay Sequelize's. */
function literalDefault(value: unknown): { readonly default?: string } {
  const isLiteral = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isLiteral ? { default: defaultExpression(value as string | number | boolean) } : {};
}

/** `unique` of columns. */
function uniqueKeysOf(model: CompiledItemType['model']): PlainColumns['indexes'] {
  const { uniqueKeys = {} } = model as unknown as {
    readonly uniqueKeys?: Readonly<Record<string, { readonly fields: readonly string[] }>>;
  };
  return Object.entries(uniqueKeys).map(([name, { fields }]) => ({
    name: identifier(name),
    columns: fields,
    unique: true,
  }));
}

/** `@Index` and similar decorators; anything beyond a list of columns is left to the plugin's migrations. */
function indexesOf(
  model: CompiledItemType['model'],
  attributes: Readonly<Record<string, ModelAttributeColumnOptions>>,
): PlainColumns['indexes'] {
  return (model.options.indexes ?? []).flatMap((index) => {
    const names = (index.fields ?? []).map(indexedAttribute);
    const isPlain = index.where === undefined && [undefined, 'btree'].includes(index.using?.toLowerCase());
    if (!isPlain || names.length === 0 || names.some((name) => name === undefined)) return [];
    return {
      columns: names.flatMap((name) => (name === undefined ? [] : [attributes[name]?.field ?? name])),
      unique: index.unique ?? false,
      ...(index.name === undefined ? {} : { name: identifier(index.name) }),
    };
  });
}

/** The attribute of a part of an index; undefined for an expression, an order, a collation or a length. */
function indexedAttribute(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null) return undefined;
  const { name, attribute = name, ...others } = part as Readonly<Record<string, unknown>>;
  const isWhole = Object.values(others).every((value) => value === undefined);
  return isWhole && typeof attribute === 'string' ? attribute : undefined;
}

/** Hooks see null for what a create leaves out, as it is stored. PostgreSQL makes the values of computed columns. */
function noValueOf({ computed }: FieldDescriptor): Pick<ModelAttributeColumnOptions, 'defaultValue'> {
  return computed === undefined ? { defaultValue: null } : {};
}

function attributeOf(field: FieldDescriptor): ModelAttributeColumnOptions {
  return {
    field: field.column,
    type: field.kind.modelType(field),
    allowNull: !field.required || field.plugin !== undefined,
    ...(field.default === undefined ? {} : { defaultValue: field.default }),
  };
}
