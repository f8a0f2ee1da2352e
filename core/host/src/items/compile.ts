import {
  itemTypeOptions,
  ownFields,
  type DeclaredField,
  type FieldOptions,
  type ItemTypeClass,
  type TargetEntity,
} from '@gantry/plugin-api';
import type { CmsFieldType } from '@gantry/contracts';
import type { ModelAttributeColumnOptions } from 'sequelize';
import { getAttributes } from 'sequelize-typescript';
import { checkDeclaration } from './check-declaration';
import { columnTypeOf, holdsValuesOf, kindOfColumn } from './column-kind';
import { deepFreeze } from './deep-freeze';
import type { FieldDescriptor, ItemTypeDescriptor, ReferenceDescriptor } from './descriptor';
import { attributeName } from './link-models';
import { identifier, snakeCase, spacedWords } from './naming';
import { presetProblems } from './preset-problems';

/** An item type as a target of references: who owns it and what it is called. */
export interface TargetType {
  readonly plugin: string;
  readonly className: string;
}

/** Finds the item type that a declaration points to, or says why there is none. */
export type ResolveTarget = (target: TargetEntity) => TargetType | { readonly problem: string };

/** What is wrong with the declarations of a type; all of it. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  constructor(
    className: string,
    readonly problems: readonly string[],
  ) {
    super(`Item type ${className}: ${problems.join('; ')}`);
  }
}

/** The type code: the simple class name in lower case (specification, section 1). */
export function typeCode(className: string): string {
  return className.toLowerCase();
}

/** The table of a type: `<plugin id>_<type code>`. */
export function tableName(plugin: string, className: string): string {
  return identifier(plugin, typeCode(className));
}

/**
 * Makes the descriptor of a type from its declarations.
 * @param pluginName display name of the plugin; its id unless given
 * @throws CompileError with every problem found.
 */
export function compileItemType(
  plugin: string,
  model: ItemTypeClass,
  resolveTarget: ResolveTarget,
  pluginName: string = plugin,
): ItemTypeDescriptor {
  const declared = declaredFields(model);
  const options = itemTypeOptions(model) ?? {};
  const problems = checkDeclaration(model, declared, options);
  if (problems.length > 0) throw new CompileError(model.name, problems);
  const context: FieldContext = { plugin, model, resolveTarget, problems };
  const fields = declared.map((field) => compileField(field, context));
  problems.push(...clashingColumns(fields));
  if (problems.length > 0) throw new CompileError(model.name, problems);
  return deepFreeze({
    code: typeCode(model.name),
    className: model.name,
    qualifiedName: `${plugin}.${model.name}`,
    displayName: options.displayName ?? spacedWords(model.name),
    plugin,
    pluginName,
    table: tableName(plugin, model.name),
    readOnly: options.readOnly ?? false,
    fields,
    columns: options.columns ?? fields.filter((field) => field.type !== 'TEXT').map((field) => field.name),
    unique: (options.unique ?? []).map((names) => [...names]),
    labelFields: fields.filter(isLabelField).map((field) => field.name),
    searchResult: options.searchResult ?? {},
  });
}

/** Columns of every table: those of the base item, and PostgreSQL's system columns. */
const takenColumns: ReadonlySet<string> = new Set([
  ...['id', 'created_at', 'updated_at', 'version'],
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'],
]);

/** Columns that are taken already, and models' attributes, whose names differ from the fields' for references. */
function clashingColumns(fields: readonly FieldDescriptor[]): readonly string[] {
  const stored = fields.filter((field) => field.column !== '');
  const isFirst = (of: (field: FieldDescriptor) => string, field: FieldDescriptor): boolean =>
    stored.find((candidate) => of(candidate) === of(field)) === field;
  return stored
    .filter((field) => !isFirst((one) => one.column, field) || !isFirst(attributeName, field))
    .map((field) => `${field.name} has the same column as another field`)
    .concat(
      stored
        .filter((field) => takenColumns.has(field.column))
        .map((field) => `${field.name} has the column ${field.column}, which every table has already`),
    );
}

interface FieldContext {
  readonly plugin: string;
  readonly model: ItemTypeClass;
  readonly resolveTarget: ResolveTarget;
  readonly problems: string[];
}

/** Own fields first, then inherited ones; a field declared again replaces the inherited one. */
export function declaredFields(model: ItemTypeClass): readonly DeclaredField[] {
  const found = new Map<string, DeclaredField>();
  for (
    let current: object | null = model;
    typeof current === 'function';
    current = Object.getPrototypeOf(current) as object | null
  ) {
    for (const field of ownFields(current)) if (!found.has(field.name)) found.set(field.name, field);
  }
  return [...found.values()];
}

function compileField({ name, options }: DeclaredField, context: FieldContext): FieldDescriptor {
  const type = options.type ?? 'STRING';
  const reference = type === 'REFERENCE' ? compileReference(name, options, context) : undefined;
  const attribute = attributesOf(context.model)?.[name];
  if (type === 'REFERENCE' && attribute !== undefined) {
    context.problems.push(`${name} is a REFERENCE, whose column the platform makes; it must not have @Column`);
  }
  const columnType =
    type === 'REFERENCE' ? referenceColumnType(reference) : columnTypeOf(type, options, attribute?.type);
  if (type !== 'REFERENCE' && !holdsValuesOf(type, columnType)) {
    context.problems.push(`${name} is a ${type}, whose values a column of the type ${columnType} cannot hold`);
  }
  const field: FieldDescriptor = {
    name,
    displayName: options.displayName,
    type,
    column: reference?.linkTable === undefined ? (attribute?.field ?? columnName(name, type)) : '',
    columnType,
    required: options.required ?? false,
    searchable: options.searchable ?? false,
    editableOnUpdate: options.editableOnUpdate ?? true,
    placeholder: options.placeholder ?? '',
    ...presentHints(options),
    ...trimmed(type, options, attribute?.unique !== undefined || isInUniqueSet(name, context.model)),
    ...kindOfColumn(type, columnType, options),
    ...kindOfReference(reference, options),
  };
  context.problems.push(...presetProblems(field));
  return field;
}

/** The columns that the author declared with sequelize-typescript, which types them as `any`. */
export function attributesOf(
  model: ItemTypeClass,
): Readonly<Record<string, ModelAttributeColumnOptions | undefined>> | undefined {
  return getAttributes(model.prototype) as Readonly<Record<string, ModelAttributeColumnOptions>> | undefined;
}

function compileReference(name: string, options: FieldOptions, context: FieldContext): ReferenceDescriptor | undefined {
  if (options.targetEntity === undefined) return undefined;
  const target = context.resolveTarget(options.targetEntity);
  if ('problem' in target) {
    context.problems.push(`the target of ${name} is ${target.problem}`);
    return undefined;
  }
  const cardinality = options.cardinality ?? 'SINGLE';
  return {
    target: typeCode(target.className),
    qualifiedName: `${target.plugin}.${target.className}`,
    cardinality,
    ...(cardinality === 'MULTIPLE'
      ? { linkTable: identifier(tableName(context.plugin, context.model.name), snakeCase(name)) }
      : {}),
  };
}

/** One without target is of the base type (specification, section 3), which means that it never has a value. */
function kindOfReference(
  reference: ReferenceDescriptor | undefined,
  { type, cardinality }: FieldOptions,
): Partial<Pick<FieldDescriptor, 'kind' | 'reference'>> {
  if (type !== 'REFERENCE') return {};
  if (reference === undefined) return { kind: cardinality === 'MULTIPLE' ? 'targetless-list' : 'targetless' };
  return { reference, kind: reference.linkTable === undefined ? 'reference' : 'references' };
}

function columnName(name: string, type: CmsFieldType): string {
  return identifier(type === 'REFERENCE' ? `${snakeCase(name)}_id` : snakeCase(name));
}

function referenceColumnType(reference: ReferenceDescriptor | undefined): string {
  return reference?.linkTable === undefined ? 'BIGINT' : '';
}

function presentHints(options: FieldOptions): Partial<FieldDescriptor> {
  return {
    ...(options.options === undefined ? {} : { options: [...options.options] }),
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.help === undefined ? {} : { help: options.help }),
    ...(options.min === undefined ? {} : { min: options.min }),
    ...(options.max === undefined ? {} : { max: options.max }),
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
  };
}

/** The text of a key is trimmed unless declared otherwise, so that codes that look the same are the same. */
function trimmed(type: CmsFieldType, { trim }: FieldOptions, isUnique: boolean): Pick<FieldDescriptor, 'trim'> {
  return (trim ?? (type === 'STRING' && isUnique)) ? { trim: true } : {};
}

function isInUniqueSet(name: string, model: ItemTypeClass): boolean {
  return (itemTypeOptions(model)?.unique ?? []).some((names) => names.includes(name));
}

/** Specification 4.5: the label is the first value whose key contains name, title or code. */
function isLabelField(field: FieldDescriptor): boolean {
  return field.type !== 'REFERENCE' && /name|title|code/i.test(field.name);
}
