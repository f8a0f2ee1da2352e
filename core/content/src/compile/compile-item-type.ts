import {
  itemTypeOptions,
  ownFields,
  type DeclaredField,
  type FieldOptions,
  type ItemTypeClass,
  type ItemTypeOptions,
} from '@gantry/plugin-api';
import pluralize from 'pluralize';
import type { ModelAttributeColumnOptions } from 'sequelize';
import { getAttributes } from 'sequelize-typescript';
import { derivationProblems } from './declaration/derivation-problems';
import { authorFields } from './author-fields';
import { checkDeclaration } from './declaration/check-declaration';
import { comparisonProblems, conditionsOf } from './field-conditions';
import { resolveComputations, withComputation } from './computed-fields';
import { compileEarlier, earlierNames } from './earlier-names';
import { deepFreeze } from '@gantry/core-common';
import { isMadeByFunction, type FieldDescriptor, type ItemTypeDescriptor } from './descriptor';
import type { FieldTypes, ResolveTarget } from '../kinds/field-type';
import { shippedFieldTypes } from '../kinds/registry';
import { attributeName } from './link-models';
import { listColumn } from './tables';
import { identifier } from '@gantry/core-database';
import { spacedWords, typeCode } from '../naming';

/** All problems of the declarations of a type. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  constructor(
    className: string,
    readonly problems: readonly string[],
  ) {
    super(`Item type ${className}: ${problems.join('; ')}`);
  }
}

/** The table of a type: `<plugin id>_<type code>`. */
function tableName(plugin: string, className: string): string {
  return identifier(plugin, typeCode(className));
}

/**
 * Makes the descriptor of a type from its declarations.
 * @param pluginName display name of the plugin; its id unless given
 * @param fieldTypes what fields can be declared as
 * @throws CompileError with every problem found.
 */
export function compileItemType(
  plugin: string,
  model: ItemTypeClass,
  resolveTarget: ResolveTarget,
  pluginName: string = plugin,
  fieldTypes: FieldTypes = shippedFieldTypes,
): ItemTypeDescriptor {
  const declared = declaredFields(model);
  const options = itemTypeOptions(model) ?? {};
  const problems = checkDeclaration(model, declared, options, fieldTypes);
  if (problems.length > 0) throw new CompileError(model.name, problems);
  const { unique = [] } = options;
  const table = tableName(plugin, model.name);
  const context: FieldContext = { table, model, unique, resolveTarget, problems, fieldTypes };
  const compiled = declared.map((field) => withComputation(compileField(field, context), field.options.computed));
  const fields = resolveComputations(compiled, (problem) => problems.push(problem));
  problems.push(
    ...labelProblems(fields, options),
    ...clashingColumns(fields),
    ...derivationProblems(fields),
    ...comparisonProblems(fields),
  );
  if (problems.length > 0) throw new CompileError(model.name, problems);
  return deepFreeze({
    code: typeCode(model.name),
    className: model.name,
    qualifiedName: `${plugin}.${model.name}`,
    ...shownNames(model, options),
    plugin,
    pluginName,
    table,
    readOnly: options.readOnly ?? false,
    ...(options.singleton === true ? { singleton: true as const } : {}),
    hasAuthors: options.readOnly !== true && !declaresAuthors(model, fields),
    fields,
    columns: options.columns ?? fields.filter((field) => field.kind.isListed).map((field) => field.name),
    unique: unique.map((names) => [...names]),
    indexes: (options.indexes ?? []).map((names) => [...names]),
    labelFields: labelNames(fields, options),
    ...(options.label === undefined ? {} : { label: options.label }),
    searchResult: options.searchResult ?? {},
    ...(options.heading === undefined ? {} : { heading: options.heading }),
    editableColumns: [...(options.editableColumns ?? [])],
    attention: (options.attention ?? []).map(({ title, where }) => ({ title, where: { ...where } })),
    ...(options.renamedFrom === undefined ? {} : { earlierCodes: earlierNames(options) }),
  });
}

function shownNames({ name }: ItemTypeClass, { icon, singleton, ...options }: ItemTypeOptions) {
  const displayName = options.displayName ?? spacedWords(name);
  const plural = singleton === true ? displayName : pluralize(displayName);
  return {
    displayName,
    displayNamePlural: options.displayNamePlural ?? plural,
    ...(icon === undefined ? {} : { icon }),
  };
}

/** A type from before there were these columns may have such ones for itself. */
function declaresAuthors(model: ItemTypeClass, fields: readonly FieldDescriptor[]): boolean {
  const attributes = (getAttributes(model.prototype as object) as object | undefined) ?? {};
  const names = new Set([...Object.keys(attributes), ...fields.flatMap((field) => [attributeName(field), field.name])]);
  const columns = new Set(fields.map(({ column }) => column));
  return authorFields({ hasAuthors: true }).some(({ name, column }) => names.has(name) || columns.has(column));
}

/** Columns of every table: those of the base item, PostgreSQL's system columns, and what lists add. */
const takenColumns: ReadonlySet<string> = new Set([
  ...['id', 'created_at', 'updated_at', 'version'],
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'],
  listColumn,
]);

/** Columns that are taken already, and models' attributes, whose names differ from the fields' for references. */
export function clashingColumns(fields: readonly FieldDescriptor[]): readonly string[] {
  const stored = fields.filter((field) => field.column !== '');
  const isFirst = (of: (field: FieldDescriptor) => string, field: FieldDescriptor): boolean =>
    stored.find((candidate) => of(candidate) === of(field)) === field;
  return stored
    .filter((field) => !isFirst((one) => one.column, field) || !isFirst(attributeName, field))
    .map((field) => `${field.name} has the same column as another field`)
    .concat(
      stored
        .filter((field) => takenColumns.has(field.column))
        .map((field) => `${field.name} has the column ${field.column}, which every table already has`),
    );
}

interface FieldContext {
  readonly table: string;
  /** The class that declares the fields. */
  readonly model: DeclaringClass;
  /** Sets of names that are unique together. */
  readonly unique: readonly (readonly string[])[];
  readonly resolveTarget: ResolveTarget;
  readonly problems: string[];
  readonly fieldTypes: FieldTypes;
}

interface DeclaringClass {
  readonly name: string;
  readonly prototype: object;
}

/** Own fields first, then inherited ones; a field declared again replaces the inherited one. */
export function declaredFields(model: object): readonly DeclaredField[] {
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

export function compileField({ name, options }: DeclaredField, context: FieldContext): FieldDescriptor {
  const { table, model, unique, resolveTarget, problems, fieldTypes } = context;
  const type = fieldTypes.of(options);
  if (type === undefined) throw new CompileError(model.name, [`${name} has an unknown type`]);
  const attribute = attributesOf(model)?.[name];
  const declaration = { name, options, attribute, table, resolveTarget };
  const compiled = type.compile(declaration, (problem) => problems.push(problem));
  const isUnique = attribute?.unique !== undefined || unique.some((names) => names.includes(name));
  const field: FieldDescriptor = {
    name,
    displayName: options.displayName,
    type: type.name,
    required: options.required === true && options.visibleIf === undefined,
    searchable: options.searchable ?? false,
    editableOnUpdate: options.editableOnUpdate ?? true,
    placeholder: options.placeholder ?? '',
    ...presentHints(options),
    ...placeInForm(options),
    ...conditionsOf(options),
    ...((options.trim ?? (type.trimsKeys && isUnique)) ? { trim: true } : {}),
    ...(options.maintained === true
      ? ({ maintained: true, editableOnCreate: false, editableOnUpdate: false } as const)
      : {}),
    ...compiled,
    ...compileEarlier(declaration, type),
  };
  problems.push(...presetProblems(field));
  return field;
}

/** The columns that the author declared with sequelize-typescript, which types them as `any`. */
export function attributesOf(
  model: Pick<DeclaringClass, 'prototype'>,
): Readonly<Record<string, ModelAttributeColumnOptions | undefined>> | undefined {
  return getAttributes(model.prototype) as Readonly<Record<string, ModelAttributeColumnOptions>> | undefined;
}

function presentHints(options: FieldOptions): Partial<FieldDescriptor> {
  return {
    ...(options.options === undefined ? {} : { options: [...options.options] }),
    ...(options.optionColors === undefined ? {} : { optionColors: { ...options.optionColors } }),
    ...(options.optionLabels === undefined ? {} : { optionLabels: { ...options.optionLabels } }),
    ...(options.settings === undefined ? {} : { settings: structuredClone(options.settings) }),
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.help === undefined ? {} : { help: options.help }),
    ...(options.section === undefined ? {} : { section: options.section }),
    ...(options.min === undefined ? {} : { min: options.min }),
    ...(options.max === undefined ? {} : { max: options.max }),
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
  };
}

function placeInForm({ tab, width, format }: FieldOptions): Partial<FieldDescriptor> {
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(width === undefined ? {} : { width }),
    ...(format === undefined ? {} : { format }),
  };
}

/** Specification 4.5: the label is the first value whose key contains name, title or code; a type may declare another one. */
function labelNames(fields: readonly FieldDescriptor[], { label }: ItemTypeOptions): readonly string[] {
  if (label !== undefined) return [label];
  return fields.filter((field) => canBeLabel(field) && /name|title|code/i.test(field.name)).map(({ name }) => name);
}

function canBeLabel(field: FieldDescriptor): boolean {
  return field.kind.isLabel && !isMadeByFunction(field);
}

function labelProblems(fields: readonly FieldDescriptor[], { label }: ItemTypeOptions): readonly string[] {
  const isUsable = fields.some((field) => field.name === label && canBeLabel(field));
  return label === undefined || isUsable
    ? []
    : [`label names ${label}, whose values cannot be labels; name a field of text`];
}

/** Options and defaults that the field itself would refuse on input. */
function presetProblems(field: FieldDescriptor): readonly string[] {
  const { options = [], default: preset, multiple } = field;
  return [
    ...options.flatMap((option) =>
      refusal(field, `the option ${JSON.stringify(option)}`, multiple === true ? [option] : option),
    ),
    ...(preset === undefined ? [] : refusal(field, 'a default that cannot be stored', field.kind.fromModel(preset))),
  ];
}

function refusal(field: FieldDescriptor, what: string, value: unknown): readonly string[] {
  const result = field.kind.parse(value, field);
  return result.ok ? [] : [`${field.name} has ${what}: it ${result.message}`];
}
