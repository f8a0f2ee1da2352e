import { deletionRules, fieldWidths, optionColors, textFormats } from '@gantry/contracts';
import { ownFields, type DeclaredField, type FieldOptions, type ItemTypeOptions } from '@gantry/plugin-api';
import { isJsonObject, findRepeated } from '@gantry/core-common';
import { sqlTypeOf } from '../../kinds/column-type';
import type { FieldTypes } from '../../kinds/field-type';
import { refuseCondition } from '../field-conditions';
import { isBlankText } from '../../kinds/text-characters';
import { refuseComputed } from '../computed-fields';

/**
 * Checks the value of an option: plain JavaScript has no compiler that does.
 * @returns the end of a sentence that begins with the field and `has`, when the value is not acceptable
 */
type OptionRule = (value: unknown, name: string) => string | undefined;

const text: OptionRule = (value, name) =>
  typeof value === 'string' ? undefined : `${article(name)} that is not a text`;
const flag: OptionRule = (value, name) =>
  typeof value === 'boolean' ? undefined : `${article(name)} that is not true or false`;
const unchecked: OptionRule = () => undefined;
const heading: OptionRule = (value, name) =>
  typeof value === 'string' && !isBlankText(value) ? undefined : `${article(name)} that is not a text`;

/** `displayName`, `type`, `default` and the numbers are checked in check-declaration. */
const fieldRules: Readonly<Record<keyof FieldOptions, OptionRule>> = {
  displayName: unchecked,
  type: unchecked,
  placeholder: text,
  searchable: flag,
  required: flag,
  editableOnUpdate: flag,
  targetEntity: refuseTarget,
  cardinality: refuseCardinality,
  onDelete: refuseDeletionRule,
  linkTargets: refuseTargets,
  column: refuseColumn,
  options: refuseOptions,
  optionColors: refuseOptionColors,
  optionLabels: refuseOptionLabels,
  settings: (value) => (isJsonObject(value) ? undefined : 'settings that are not an object'),
  default: unchecked,
  help: text,
  section: heading,
  tab: heading,
  width: (value) =>
    isOneOf(fieldWidths, value)
      ? undefined
      : `the unknown width ${JSON.stringify(value)}; known are ${fieldWidths.join(', ')}`,
  format: (value) =>
    isOneOf(textFormats, value)
      ? undefined
      : `the unknown format ${JSON.stringify(value)}; known are ${textFormats.join(', ')}`,
  visibleIf: refuseCondition,
  requiredIf: refuseCondition,
  maxLength: unchecked,
  min: unchecked,
  max: unchecked,
  pattern: refusePattern,
  trim: flag,
  maintained: flag,
  computed: refuseComputed,
  renamedFrom: (value) => (isNames(value) ? undefined : 'renamedFrom that is neither a name nor a list of names'),
};

/** Whose place at the wrong field type is a problem that check-declaration reports. */
export const checkedLater: ReadonlySet<keyof FieldOptions> = new Set([
  'targetEntity',
  'options',
  'optionColors',
  'optionLabels',
]);

const typeRules: Readonly<Record<keyof ItemTypeOptions, (value: unknown) => string | undefined>> = {
  code: (value) => (typeof value === 'string' ? undefined : 'a code of @ItemType that is not a text'),
  displayName: (value) =>
    typeof value === 'string' && value !== '' ? undefined : 'a displayName of @ItemType that is not a text',
  displayNamePlural: (value) =>
    typeof value === 'string' && value !== '' ? undefined : 'a displayNamePlural of @ItemType that is not a text',
  icon: (value) =>
    isPathData(value) ? undefined : 'an icon of @ItemType that is not path data of SVG, such as "M4 5h16v14H4z"',
  columns: (value) => (isListOfTexts(value) ? undefined : 'columns of @ItemType that are not a list of names'),
  unique: listOfFieldSets('unique'),
  indexes: listOfFieldSets('indexes'),
  searchResult: refuseSearchResult,
  heading: (value) =>
    typeof value === 'string' ? undefined : 'a heading of @ItemType that is not the name of a field',
  label: (value) => (typeof value === 'string' ? undefined : 'a label of @ItemType that is not the name of a field'),
  editableColumns: (value) =>
    isListOfTexts(value) ? undefined : 'editableColumns of @ItemType that are not a list of names',
  readOnly: (value) => (typeof value === 'boolean' ? undefined : 'a readOnly of @ItemType that is not true or false'),
  singleton: (value) => (typeof value === 'boolean' ? undefined : 'a singleton of @ItemType that is not true or false'),
  attention: (value) =>
    Array.isArray(value) && value.every(isAttentionRule)
      ? undefined
      : `attention of @ItemType that is not a list of rules, such as [{ title: 'To check', where: { state: 'NEW' } }]`,
  renamedFrom: (value) =>
    isNames(value) ? undefined : 'renamedFrom of @ItemType that is neither a type code nor a list of them',
};

/** The letters of path commands, numbers and what separates them. */
const pathData = /^\s*[Mm][\sMmLlHhVvCcSsQqTtAaZz\d.,eE+-]{1,999}$/;

function isPathData(value: unknown): boolean {
  return typeof value === 'string' && pathData.test(value);
}

function listOfFieldSets(name: string): (value: unknown) => string | undefined {
  return (value) =>
    Array.isArray(value) && value.every(isListOfTexts)
      ? undefined
      : `${name} of @ItemType that is not a list of sets of fields, such as [['${String([value].flat()[0])}']]`;
}

function isAttentionRule(rule: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return false;
  const { title, where } = rule as { readonly title?: unknown; readonly where?: unknown };
  if (typeof title !== 'string' || isBlankText(title) || typeof where !== 'object' || where === null) return false;
  const values: readonly unknown[] = Object.values(where);
  return values.length > 0 && values.every((value) => typeof value === 'string' && !isBlankText(value));
}

/** Options of fields that are unknown, of the wrong kind, or of another field type; and fields declared twice. */
export function fieldOptionProblems(
  model: object,
  fields: readonly DeclaredField[],
  fieldTypes: FieldTypes,
): readonly string[] {
  const own = ownFields(model).map(({ name }) => name);
  return [
    ...findRepeated(own).map((name) => `${name} has @Field more than once`),
    ...fields.flatMap(({ name, options }) =>
      given(options).flatMap((one) => optionProblem(options, one, fieldTypes).map((what) => `${name} has ${what}`)),
    ),
  ];
}

/** The same for the options of the type. */
export function typeOptionProblems(options: ItemTypeOptions): readonly string[] {
  return given(options)
    .flatMap(([name, value]) =>
      isKey(typeRules, name)
        ? (typeRules[name](value) ?? [])
        : `the unknown option ${name} of @ItemType; ${proposal(name, Object.keys(typeRules))}`,
    )
    .map((what) => `it has ${what}`);
}

function given(options: object): readonly (readonly [string, unknown])[] {
  return Object.entries(options).filter(([, value]) => value !== undefined);
}

function optionProblem(
  options: FieldOptions,
  [name, value]: readonly [string, unknown],
  fieldTypes: FieldTypes,
): readonly string[] {
  if (!isKey(fieldRules, name)) return [`the unknown option ${name}; ${proposal(name, Object.keys(fieldRules))}`];
  // An unknown type is a problem that check-declaration reports.
  const type = fieldTypes.of(options);
  if (name === 'column' && type?.makesColumn === true) {
    return [`a column but is a ${type.name}, whose column the platform makes`];
  }
  const misplaced = checkedLater.has(name) ? undefined : misplacedOption(name, options, fieldTypes);
  return [misplaced ?? fieldRules[name](value, name) ?? []].flat();
}

/** The end of a sentence that begins with the field and `has`, when its type does not have the option. */
export function misplacedOption(
  name: keyof FieldOptions,
  options: FieldOptions,
  fieldTypes: FieldTypes,
): string | undefined {
  const type = fieldTypes.of(options);
  const owners = fieldTypes.having(name);
  if (type === undefined || options[name] === undefined || owners.includes(type.name)) return undefined;
  if (owners.length === 0) return `${article(name)}, which only field kinds of plugins have`;
  return `${article(name)} but its type is not ${either(owners)}`;
}

function refuseTarget(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined;
  if (typeof value !== 'function') {
    return 'a targetEntity that is neither a function that gives the class nor its qualified name';
  }
  if (!/^class\b/.test(Function.prototype.toString.call(value))) return undefined;
  return `a targetEntity that is the class itself; write a function that gives it: () => ${value.name}`;
}

function refuseTargets(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return "linkTargets that are not a list of types, such as [() => Product, 'articles.Article']";
  }
  return value.map((target) => refuseTarget(target)?.replace('a targetEntity', 'a target of links')).find(Boolean);
}

function refuseCardinality(value: unknown): string | undefined {
  return value === 'SINGLE' || value === 'MULTIPLE'
    ? undefined
    : `the unknown cardinality ${JSON.stringify(value)}; known are SINGLE, MULTIPLE`;
}

function refuseDeletionRule(value: unknown): string | undefined {
  return isOneOf(deletionRules, value)
    ? undefined
    : `the unknown onDelete ${JSON.stringify(value)}; known are ${deletionRules.join(', ')}`;
}

function refuseColumn(value: unknown): string | undefined {
  try {
    sqlTypeOf(value as Parameters<typeof sqlTypeOf>[0]);
    return undefined;
  } catch {
    return 'a column that is neither a DataType of sequelize-typescript nor the SQL of one';
  }
}

function refuseOptions(value: unknown): string | undefined {
  if (!isListOfTexts(value)) return 'options that are not a list of texts';
  if (value.some(isBlankText)) return 'an option without text';
  const [repeated] = findRepeated(value);
  return repeated === undefined ? undefined : `the option ${JSON.stringify(repeated)} more than once`;
}

function refuseOptionColors(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `optionColors that are not an object, such as { NEW: '${optionColors[1]}' }`;
  }
  const known: readonly unknown[] = optionColors;
  const [wrong] = Object.entries(value).filter(([, color]) => !known.includes(color));
  return wrong && `the unknown colour ${JSON.stringify(wrong[1])} of ${wrong[0]}; known are ${optionColors.join(', ')}`;
}

function refuseOptionLabels(value: unknown): string | undefined {
  return isJsonObject(value) && Object.values(value).every((label) => typeof label === 'string' && !isBlankText(label))
    ? undefined
    : "optionLabels that are not an object of texts, such as { NEW: 'To do' }";
}

function refusePattern(value: unknown): string | undefined {
  if (value instanceof RegExp) return `a pattern that is not a text; write ${value.source} as text`;
  return text(value, 'pattern');
}

function refuseSearchResult(value: unknown): string | undefined {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'a searchResult of @ItemType that is neither { label, subLabel } nor a function';
  }
  const [unknown] = Object.keys(value).filter((name) => name !== 'label' && name !== 'subLabel');
  if (unknown !== undefined) {
    return `the unknown option searchResult.${unknown} of @ItemType; known are label, subLabel`;
  }
  const [wrong] = given(value).filter(([, name]) => typeof name !== 'string');
  return wrong && `a searchResult.${wrong[0]} of @ItemType that is not the name of a field`;
}

/** Proposes a known name: the same letters, more of them, or one mistyped. */
function proposal(name: string, known: readonly string[]): string {
  const meant = known.find((one) => isNear(name.toLowerCase(), one.toLowerCase()));
  return meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
}

function isNear(found: string, known: string): boolean {
  const letters = (word: string): string => word.split('').toSorted().join('');
  return (found.length > 3 && known.startsWith(found)) || letters(found) === letters(known);
}

function isOneOf(known: readonly unknown[], value: unknown): boolean {
  return known.includes(value);
}

function isNames(value: unknown): boolean {
  return typeof value === 'string' || isListOfTexts(value);
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isKey<T extends object>(rules: T, name: string): name is keyof T & string {
  return Object.hasOwn(rules, name);
}

function article(name: string): string {
  if (name.endsWith('s')) return name;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** The names as alternatives: `A, B or C`. */
function either(types: readonly string[]): string {
  return types.length < 2 ? types.join('') : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}
