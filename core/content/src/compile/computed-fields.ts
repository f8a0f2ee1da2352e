import type { Computation, DeclaredField, FieldOptions, ItemTypeOptions } from '@gantry/plugin-api';
import { isJsonObject } from '@gantry/core-common';
import { quoteIdentifier } from '@gantry/core-database';
import type { FieldTypes } from '../kinds/field-type';
import { isLinked, isMadeByFunction, type ComputedRule, type FieldDescriptor } from './descriptor';

const placeholder = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Checks the value of `computed`, which may be anything. @returns the end of a sentence that begins with the field and `has` */
export function refuseComputed(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'computed that is neither { sql } nor { from, value }';
  const { sql, from, value: code, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `the unknown option computed.${unknown}; known are sql, or from and value`;
  if (sql !== undefined) {
    if (from !== undefined || code !== undefined) return 'computed with both sql and a function; choose one of them';
    return typeof sql === 'string' && sql.trim() !== '' ? undefined : 'a computed.sql that is not a text';
  }
  if (typeof code !== 'function') return 'computed without sql or a function value';
  const names: readonly unknown[] = Array.isArray(from) ? from : [undefined];
  return names.every((name) => typeof name === 'string')
    ? undefined
    : "a computed.from that is not a list of fields, such as ['price']";
}

/** Names of the fields that a value is made from, each once. */
function sourcesOf(computed: Computation): readonly string[] {
  const names =
    'sql' in computed ? [...computed.sql.matchAll(placeholder)].map(([, name]) => String(name)) : computed.from;
  return [...new Set(names)];
}

/** Options that only values have that are set. */
const optionsOfInput = [
  'required',
  'default',
  'editableOnUpdate',
  'trim',
  'renamedFrom',
  'visibleIf',
  'requiredIf',
] as const satisfies readonly (keyof FieldOptions)[];

/** Problems of computed fields, and of options that name one where a stored field is needed. */
export function computedProblems(
  fields: readonly DeclaredField[],
  type: ItemTypeOptions,
  fieldTypes: FieldTypes,
): readonly string[] {
  const computed = fields.filter(({ options }) => options.computed !== undefined);
  const isIn = (names: readonly string[] | undefined, { name }: DeclaredField): boolean =>
    names?.includes(name) === true;
  const { searchResult } = type;
  const shown = typeof searchResult === 'object' ? [searchResult.label, searchResult.subLabel] : [];
  return computed.flatMap((field) => {
    const { name, options } = field;
    const isFunction = options.computed !== undefined && 'value' in options.computed;
    return [
      ...optionsOfInput
        .filter((option) => options[option] !== undefined)
        .map((option) => `${name} is computed, so that ${option} has no meaning`),
      // References have to be known when an item at either end is deleted.
      ...(fieldTypes.of(options)?.makesColumn === true
        ? [`${name} is computed, which a ${options.type} cannot be`]
        : []),
      ...(type.unique?.some((set) => isIn(set, field)) === true ? [`unique names ${name}, which is computed`] : []),
      ...(isIn(type.editableColumns, field) ? [`editableColumns names ${name}, which is computed`] : []),
      ...(isFunction ? functionProblems(field, type, shown) : []),
    ];
  });
}

function functionProblems(
  { name, options }: DeclaredField,
  { indexes }: ItemTypeOptions,
  shown: readonly (string | undefined)[],
): readonly string[] {
  const made = 'which is computed by a function';
  return [
    ...(options.searchable === true
      ? [`${name} is searchable but computed by a function; only sql can be searched and sorted by`]
      : []),
    ...(indexes?.some((set) => set.includes(name)) === true ? [`indexes names ${name}, ${made}`] : []),
    ...(shown.includes(name) ? [`searchResult names ${name}, ${made}`] : []),
  ];
}

/** A field with what makes its value; SQL as it was declared. */
export function withComputation(field: FieldDescriptor, computed: Computation | undefined): FieldDescriptor {
  if (computed === undefined) return field;
  const from = sourcesOf(computed);
  const fixed = { ...field, editableOnUpdate: false, editableOnCreate: false } as const;
  if ('sql' in computed) return { ...fixed, computed: { from, expression: computed.sql } };
  // The type of the column that it would have decides its values.
  return { ...fixed, column: '', computed: { from, value: computed.value } };
}

/** The fields with the columns in place of the names in expressions. @param report takes what is wrong */
export function resolveComputations(
  fields: readonly FieldDescriptor[],
  report: (problem: string) => void,
): readonly FieldDescriptor[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  return fields.map((field) => {
    const { computed } = field;
    if (computed === undefined) return field;
    for (const name of computed.from) {
      const problem = sourceProblem(name, known.get(name), computed);
      if (problem !== undefined) report(`${field.name} is computed from ${problem}`);
    }
    if (!('expression' in computed)) return field;
    const columnOf = (name: string): string => quoteIdentifier(known.get(name)?.column ?? name);
    const expression = computed.expression.replaceAll(placeholder, (_all, name: string) => columnOf(name));
    return { ...field, computed: { from: computed.from, expression } };
  });
}

function sourceProblem(name: string, source: FieldDescriptor | undefined, rule: ComputedRule): string | undefined {
  if (source === undefined) return `${name}, which is not a field`;
  if (isMadeByFunction(source)) return `${name}, which is computed by a function`;
  if ('value' in rule) return undefined;
  if (source.computed !== undefined) return `${name}, which is computed itself`;
  return isLinked(source) ? `${name}, which has several values and no column` : undefined;
}
