/** A value that a condition compares with: text, or what a field of the type NUMBER or BOOLEAN has. @public */
export type ConditionValue = string | number | boolean;

/**
 * A condition on another field of the item. Conditions are data, so that the platform and its pages evaluate them alike. A field
 * that is not shown counts as one without a value.
 * @public
 */
export type FieldCondition =
  | { readonly field: string; readonly equals: ConditionValue }
  | { readonly field: string; readonly notEquals: ConditionValue }
  | { readonly field: string; readonly in: readonly ConditionValue[] }
  | { readonly field: string; readonly empty: boolean }
  | { readonly all: readonly FieldCondition[] }
  | { readonly any: readonly FieldCondition[] };

/** The comparisons of a {@link FieldCondition}. @public */
export const conditionComparisons = ['equals', 'notEquals', 'in', 'empty'] as const;

/** A field with its conditions. @public */
export interface ConditionalField {
  readonly name: string;
  readonly visibleIf?: FieldCondition;
  readonly requiredIf?: FieldCondition;
}

/** The results of the conditions of the fields of one item. @public */
export interface ConditionResults {
  isVisible(name: string): boolean;
  /** By its `requiredIf`; a field that is not shown is not required. */
  isRequired(name: string): boolean;
}

/**
 * Evaluates the conditions of an item.
 * @param valueOf of a field: text, number, boolean, a list, or null and undefined for no value
 * @public
 */
export function evaluateConditions(
  fields: readonly ConditionalField[],
  valueOf: (name: string) => unknown,
): ConditionResults {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const shown = new Map<string, boolean>();
  const isVisible = (name: string): boolean => {
    const known = shown.get(name);
    if (known !== undefined) return known;
    const condition = byName.get(name)?.visibleIf;
    // Declarations have no cycles; without this, one from elsewhere would have no end.
    shown.set(name, true);
    const result = condition === undefined || holds(condition, shownValue);
    shown.set(name, result);
    return result;
  };
  const shownValue = (name: string): unknown => (isVisible(name) ? valueOf(name) : undefined);
  return {
    isVisible,
    isRequired(name) {
      const condition = byName.get(name)?.requiredIf;
      return condition !== undefined && isVisible(name) && holds(condition, shownValue);
    },
  };
}

function holds(condition: FieldCondition, valueOf: (name: string) => unknown): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, valueOf));
  if ('any' in condition) return condition.any.some((one) => holds(one, valueOf));
  const value = valueOf(condition.field);
  if ('empty' in condition) return hasNoValue(value) === condition.empty;
  if ('in' in condition) return condition.in.some((one) => isEqual(value, one));
  return 'equals' in condition ? isEqual(value, condition.equals) : !isEqual(value, condition.notEquals);
}

/** Null, blank text and empty lists and objects are no value. @public */
export function hasNoValue(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return (
    typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0
  );
}

/** Numbers and booleans are text on the way, and a number may have zeros at its end. */
function isEqual(value: unknown, wanted: ConditionValue): boolean {
  if (hasNoValue(value)) return false;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof wanted === 'number' ? Number(value) === wanted : String(value) === String(wanted);
    default:
      return false;
  }
}

/** The fields that a condition compares. @public */
export function fieldsOfCondition(condition: FieldCondition | undefined): readonly string[] {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(fieldsOfCondition);
  return 'any' in condition ? condition.any.flatMap(fieldsOfCondition) : [condition.field];
}

/** All fields on which it depends whether a field is shown, or required, also by way of others. @public */
export function fieldsDecidingOn(
  { visibleIf, requiredIf }: ConditionalField,
  fields: readonly ConditionalField[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const other of fieldsOfCondition(fields.find((field) => field.name === name)?.visibleIf)) add(other);
  };
  for (const name of [...fieldsOfCondition(visibleIf), ...fieldsOfCondition(requiredIf)]) add(name);
  return found;
}

/** How fields and values are called in a description. @public */
export interface ConditionWords {
  field(name: string): string;
  value(name: string, value: ConditionValue): string;
}

const plainWords: ConditionWords = { field: (name) => name, value: (_name, value) => String(value) };

/** The condition in words, for example `kind is LINK and url is empty`. @public */
export function describeCondition(condition: FieldCondition, words: ConditionWords = plainWords): string {
  const member = (one: FieldCondition): string =>
    'field' in one ? describeCondition(one, words) : `(${describeCondition(one, words)})`;
  if ('all' in condition) return condition.all.map(member).join(' and ');
  if ('any' in condition) return condition.any.map(member).join(' or ');
  const name = words.field(condition.field);
  const value = (one: ConditionValue): string => words.value(condition.field, one);
  if ('empty' in condition) return `${name} ${condition.empty ? 'is empty' : 'has a value'}`;
  if ('in' in condition) return `${name} is one of ${condition.in.map(value).join(', ')}`;
  return 'equals' in condition
    ? `${name} is ${value(condition.equals)}`
    : `${name} is not ${value(condition.notEquals)}`;
}
