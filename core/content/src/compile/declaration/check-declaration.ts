import type { DeclaredField, ItemTypeClass, ItemTypeOptions } from '@gantry/plugin-api';
import { findRepeated } from '@gantry/core-common';
import type { FieldTypes } from '../../kinds/field-type';
import { computedProblems } from '../computed-fields';
import { earlierNameProblems } from '../earlier-names';
import { conditionProblems } from '../field-conditions';
import { checkedLater, fieldOptionProblems, misplacedOption, typeOptionProblems } from './option-problems';

/** Names that mean something else in rows, queries, models, or on every object. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['id', 'createdAt', 'updatedAt', 'version', 'prototype'],
  // Sequelize would take what an item inherits for its value.
  ...Object.getOwnPropertyNames(Object.prototype),
  // Where Sequelize keeps an item's values and state.
  ...['dataValues', 'isNewRecord', 'rawAttributes', 'uniqno'],
]);

/** Everything wrong with a type's declarations that needs no other type to see. */
export function checkDeclaration(
  model: ItemTypeClass,
  fields: readonly DeclaredField[],
  options: ItemTypeOptions,
  fieldTypes: FieldTypes,
): string[] {
  // The checks below rely on the shapes of the options.
  const misshapen = [...fieldOptionProblems(model, fields, fieldTypes), ...typeOptionProblems(options)];
  if (misshapen.length > 0) return misshapen;
  const names = new Set(fields.map((field) => field.name));
  return [
    ...(/^[A-Z][A-Za-z0-9]{0,62}$/.test(model.name)
      ? []
      : [`the class name ${model.name} must begin with a capital letter and have only letters and digits`]),
    ...(model.name.includes('Void')
      ? [`the class name ${model.name} must not contain Void, which marks a reference without target for clients`]
      : []),
    ...(fields.length === 0 ? ['declares no @Field'] : []),
    ...fields.flatMap((field) => checkField(field, fieldTypes)),
    ...(options.readOnly === true ? fields.filter(hasDeletionRule).map(readOnlyProblem) : []),
    ...fields
      .filter((field) => field.options.maintained !== undefined)
      .map(({ name }) => `${name} has maintained, which is for extra fields of types of other plugins`),
    ...(options.singleton === true ? fields.flatMap(singletonProblems) : []),
    ...unknownNames('columns', options.columns ?? [], names),
    ...repeatedNames('columns', options.columns ?? []),
    ...(options.unique ?? []).flatMap((set) => fieldSetProblems('unique', set, fields)),
    ...(options.indexes ?? []).flatMap((set) => fieldSetProblems('indexes', set, fields)),
    ...checkSearchResult(options, names),
    ...unknownNames('heading', options.heading === undefined ? [] : [options.heading], names),
    ...unknownNames('label', options.label === undefined ? [] : [options.label], names),
    ...editableColumnProblems(options, fields),
    ...(options.attention ?? []).flatMap(({ where }) => attentionProblems(where, fields)),
    ...conditionProblems(fields),
    ...computedProblems(fields, options, fieldTypes),
    ...earlierNameProblems(model.name, fields, options),
  ];
}

/** Everything wrong with the fields of a class that is no type. */
export function checkFields(
  model: { readonly name: string },
  fields: readonly DeclaredField[],
  fieldTypes: FieldTypes,
): readonly string[] {
  const misshapen = fieldOptionProblems(model, fields, fieldTypes);
  if (misshapen.length > 0) return misshapen;
  return [
    ...(fields.length === 0 ? ['declares no @Field'] : []),
    ...fields.flatMap((field) => checkField(field, fieldTypes)),
    ...conditionProblems(fields),
    ...earlierNameProblems(model.name, fields, {}),
  ];
}

function hasDeletionRule({ options: { onDelete = 'restrict' } }: DeclaredField): boolean {
  return onDelete !== 'restrict';
}

function readOnlyProblem({ name, options }: DeclaredField): string {
  return `${name} has onDelete ${options.onDelete}, but the type is readOnly, so that only its plugin may change or delete its items`;
}

/** Its one item exists before anybody has given it a value, and for as long as the type. */
function singletonProblems({ name, options }: DeclaredField): readonly string[] {
  const isLeftEmpty = options.required === true && options.default === undefined && options.visibleIf === undefined;
  return [
    ...(isLeftEmpty
      ? [`${name} is required and has no default, which the one item of a singleton begins with; give it a default`]
      : []),
    ...(options.onDelete === 'cascade'
      ? [`${name} has onDelete cascade, but the one item of a singleton cannot be deleted; use setNull or restrict`]
      : []),
  ];
}

/** Columns that can be edited in a list have to be fields that can be edited in the form of an item. */
function editableColumnProblems(
  { editableColumns = [], readOnly }: ItemTypeOptions,
  fields: readonly DeclaredField[],
): readonly string[] {
  const fixed = fields.filter(
    ({ name, options }) => editableColumns.includes(name) && options.editableOnUpdate === false,
  );
  return [
    ...unknownNames('editableColumns', editableColumns, new Set(fields.map(({ name }) => name))),
    ...repeatedNames('editableColumns', editableColumns),
    ...fixed.map(({ name }) => `editableColumns names ${name}, which cannot be changed after the item is created`),
    ...(readOnly === true && editableColumns.length > 0 ? ['editableColumns are given but the type is readOnly'] : []),
  ];
}

/** The items that a rule counts have to be found by their list, too. */
function attentionProblems(
  where: Readonly<Record<string, string>>,
  fields: readonly DeclaredField[],
): readonly string[] {
  return Object.entries(where).flatMap(([name, value]) => {
    const options = fields.find((field) => field.name === name)?.options;
    if (options?.searchable !== true) return [`attention names ${name}, which is not a searchable field`];
    if (options.options?.includes(value) === false) {
      return [`attention compares ${name} with ${value}; its options are ${options.options.join(', ')}`];
    }
    return [];
  });
}

function checkField(field: DeclaredField, fieldTypes: FieldTypes): readonly string[] {
  return [
    ...nameProblems(field),
    ...typeProblems(field, fieldTypes),
    ...valueProblems(field, fieldTypes),
    ...limitProblems(field),
  ];
}

function nameProblems({ name, options }: DeclaredField): readonly string[] {
  const problems: string[] = [];
  if (!/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name)) {
    problems.push(`the field name ${name} must begin with a letter and have letters, digits and _ only`);
  }
  if (reservedNames.has(name)) problems.push(`the field name ${name} is reserved`);
  if (typeof options.displayName !== 'string' || options.displayName === '') {
    problems.push(`${name} has no displayName`);
  }
  return problems;
}

function typeProblems({ name, options }: DeclaredField, fieldTypes: FieldTypes): readonly string[] {
  const type = fieldTypes.of(options);
  if (type === undefined) {
    const missing = fieldTypes.missing(String(options.type));
    return [`${name} has the unknown type ${options.type}; ${missing ?? `known are ${fieldTypes.names.join(', ')}`}`];
  }
  const misplaced = [...checkedLater].flatMap((option) => misplacedOption(option, options, fieldTypes) ?? []);
  return [...type.problems(options), ...misplaced.map((problem) => `has ${problem}`)].map((end) => `${name} ${end}`);
}

function valueProblems({ name, options }: DeclaredField, fieldTypes: FieldTypes): readonly string[] {
  const problems: string[] = [];
  if (options.options?.length === 0) problems.push(`${name} has an empty list of options`);
  for (const option of Object.keys(options.optionColors ?? {})) {
    if (options.options?.includes(option) === true) continue;
    problems.push(`${name} has a colour of ${option}, which is not an option`);
  }
  if (options.pattern !== undefined && !isPattern(options.pattern)) {
    problems.push(`${name} has a pattern that is not a regular expression`);
  }
  if (Array.isArray(options.default)) {
    problems.push(`${name} has a list as its default, which no field can have; leave default out`);
  } else if (options.default !== undefined && fieldTypes.of(options)?.fitsDefault(options.default) === false) {
    problems.push(`${name} has a default whose type is not that of the field`);
  }
  return problems;
}

function limitProblems({ name, options: { maxLength } }: DeclaredField): readonly string[] {
  const problems: string[] = [];
  if (maxLength !== undefined && (!Number.isInteger(maxLength) || maxLength < 1)) {
    problems.push(`${name} has a maxLength that is not a whole number from 1`);
  }
  return problems;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(`^(?:${source})$`, 'u');
    return true;
  } catch {
    return false;
  }
}

function unknownNames(option: string, wanted: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return wanted.filter((name) => !names.has(name)).map((name) => `${option} names ${name}, which is not a field`);
}

function repeatedNames(option: string, names: readonly string[]): readonly string[] {
  return findRepeated(names).map((name) => `${option} names ${name} more than once`);
}

function fieldSetProblems(
  option: 'unique' | 'indexes',
  set: readonly string[],
  fields: readonly DeclaredField[],
): readonly string[] {
  const multiple = fields.filter((field) => set.includes(field.name) && field.options.cardinality === 'MULTIPLE');
  return [
    ...(set.length === 0 ? [`${option} has an empty set of fields`] : []),
    ...unknownNames(option, set, new Set(fields.map((field) => field.name))),
    ...repeatedNames(option, set),
    ...multiple.map((field) => `${option} names ${field.name}, which has several values`),
  ];
}

function checkSearchResult(options: ItemTypeOptions, names: ReadonlySet<string>): readonly string[] {
  const mapping = options.searchResult;
  if (mapping === undefined || typeof mapping === 'function') return [];
  return unknownNames(
    'searchResult',
    [mapping.label, mapping.subLabel].filter((name) => name !== undefined),
    names,
  );
}
