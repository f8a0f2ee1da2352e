import type { CmsFieldType } from '@gantry/contracts';
import {
  itemTypeOptions,
  ownFields,
  type DeclaredField,
  type FieldOptions,
  type ItemTypeClass,
  type TargetEntity,
} from '@gantry/plugin-api';
import type { ModelAttributeColumnOptions } from 'sequelize';
import { getAttributes } from 'sequelize-typescript';
import { sqlTypeOf } from './column-type';
import { checkDeclaration } from './check-declaration';
import { deepFreeze } from './deep-freeze';
import type { FieldDescriptor, ItemTypeDescriptor, ReferenceDescriptor } from './descriptor';
import { identifier, snakeCase, spacedWords } from './naming';

/** An item type as a target of references: who owns it and what it is called. */
export interface TargetType {
  readonly plugin: string;
  readonly className: string;
}

/** Finds the item type that a declaration points to; undefined when no loaded plugin contributes it. */
export type ResolveTarget = (target: TargetEntity) => TargetType | undefined;

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
 * @throws CompileError with every problem found.
 */
export function compileItemType(
  plugin: string,
  model: ItemTypeClass,
  resolveTarget: ResolveTarget,
): ItemTypeDescriptor {
  const declared = declaredFields(model);
  const options = itemTypeOptions(model) ?? {};
  const problems = checkDeclaration(model, declared, options);
  if (problems.length > 0) throw new CompileError(model.name, problems);
  const context: FieldContext = { plugin, model, resolveTarget, problems };
  const fields = declared.map((field) => compileField(field, context));
  if (problems.length > 0) throw new CompileError(model.name, problems);
  return deepFreeze({
    code: typeCode(model.name),
    className: model.name,
    qualifiedName: `${plugin}.${model.name}`,
    displayName: options.displayName ?? spacedWords(model.name),
    plugin,
    table: tableName(plugin, model.name),
    readOnly: options.readOnly ?? false,
    fields,
    columns: options.columns ?? fields.filter((field) => field.type !== 'TEXT').map((field) => field.name),
    unique: (options.unique ?? []).map((names) => [...names]),
    labelFields: fields.filter(isLabelField).map((field) => field.name),
    searchResult: options.searchResult ?? {},
  });
}

interface FieldContext {
  readonly plugin: string;
  readonly model: ItemTypeClass;
  readonly resolveTarget: ResolveTarget;
  readonly problems: string[];
}

/** Own fields first, then inherited ones; a field declared again replaces the inherited one. */
function declaredFields(model: ItemTypeClass): readonly DeclaredField[] {
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
  const columnType =
    reference === undefined ? columnTypeOf(type, options, attribute?.type) : referenceColumnType(reference);
  return {
    name,
    displayName: options.displayName,
    type,
    column: reference?.linkTable === undefined ? (attribute?.field ?? columnName(name, reference)) : '',
    columnType,
    required: options.required ?? false,
    searchable: options.searchable ?? false,
    editableOnUpdate: options.editableOnUpdate ?? true,
    placeholder: options.placeholder ?? '',
    ...presentHints(options),
    ...kindOfColumn(type, columnType, options),
    ...(reference === undefined
      ? {}
      : { reference, kind: reference.linkTable === undefined ? 'reference' : 'references' }),
  };
}

/** The columns that the author declared with sequelize-typescript, which types them as `any`. */
function attributesOf(
  model: ItemTypeClass,
): Readonly<Record<string, ModelAttributeColumnOptions | undefined>> | undefined {
  return getAttributes(model.prototype) as Readonly<Record<string, ModelAttributeColumnOptions>> | undefined;
}

function compileReference(name: string, options: FieldOptions, context: FieldContext): ReferenceDescriptor | undefined {
  const target = options.targetEntity === undefined ? undefined : context.resolveTarget(options.targetEntity);
  if (target === undefined) {
    context.problems.push(`the target of ${name} is no item type of this plugin or of one it depends on`);
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

function columnName(name: string, reference: ReferenceDescriptor | undefined): string {
  return identifier(reference === undefined ? snakeCase(name) : `${snakeCase(name)}_id`);
}

function referenceColumnType(reference: ReferenceDescriptor): string {
  return reference.linkTable === undefined ? 'BIGINT' : '';
}

function columnTypeOf(type: CmsFieldType, options: FieldOptions, attributeType: unknown): string {
  const chosen = attributeType ?? options.column;
  if (chosen !== undefined) return sqlTypeOf(chosen as Parameters<typeof sqlTypeOf>[0]);
  switch (type) {
    case 'STRING':
      return `VARCHAR(${options.maxLength ?? 255})`;
    case 'IMAGE':
      return `VARCHAR(${options.maxLength ?? 2048})`;
    case 'NUMBER':
      return 'DOUBLE PRECISION';
    case 'BOOLEAN':
      return 'BOOLEAN';
    case 'TEXT':
    case 'REFERENCE':
      return 'TEXT';
  }
}

const longestText = 1_000_000;

function kindOfColumn(
  type: CmsFieldType,
  columnType: string,
  options: FieldOptions,
): Partial<FieldDescriptor> & { kind: string } {
  switch (type) {
    case 'STRING':
      return { kind: 'string', maxLength: options.maxLength ?? columnLength(columnType) ?? 255 };
    case 'IMAGE':
      return { kind: 'image', maxLength: options.maxLength ?? columnLength(columnType) ?? 2048 };
    case 'TEXT':
      return { kind: 'text', maxLength: options.maxLength ?? columnLength(columnType) ?? longestText };
    case 'BOOLEAN':
      return { kind: 'boolean' };
    case 'REFERENCE':
      return { kind: 'reference' };
    case 'NUMBER':
      return numberKindOf(columnType);
  }
}

function columnLength(columnType: string): number | undefined {
  const length = /\((\d+)\)/.exec(columnType)?.[1];
  return length === undefined ? undefined : Number(length);
}

function numberKindOf(columnType: string): Partial<FieldDescriptor> & { kind: string } {
  if (/^bigint/i.test(columnType)) return { kind: 'long', numberKind: 'long' };
  if (/^smallint/i.test(columnType)) return { kind: 'integer', numberKind: 'integer', min: -32_768, max: 32_767 };
  if (/^int/i.test(columnType)) return { kind: 'integer', numberKind: 'integer' };
  const decimal = /^(?:decimal|numeric)(?:\((\d+)(?:,\s*(\d+))?\))?/i.exec(columnType);
  if (decimal === null) return { kind: 'double', numberKind: 'double' };
  const [, precision, scale = '0'] = decimal;
  if (precision === undefined) return { kind: 'decimal', numberKind: 'decimal' };
  return { kind: 'decimal', numberKind: 'decimal', precision: Number(precision), scale: Number(scale) };
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

/** Specification 4.5: the label is the first value whose key contains name, title or code. */
function isLabelField(field: FieldDescriptor): boolean {
  return field.reference === undefined && /name|title|code/i.test(field.name);
}
