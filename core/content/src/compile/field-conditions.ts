import {
  conditionComparisons,
  fieldsDecidingOn,
  fieldsOfCondition,
  type ConditionValue,
  type FieldCondition,
} from '@gantry/contracts';
import type { DeclaredField, FieldOptions } from '@gantry/plugin-api';
import { isJsonObject } from '@gantry/core-common';
import { isBlankText } from '../kinds/text-characters';
import type { FieldDescriptor } from './descriptor';

/** Groups in groups, as for criteria. */
const maxDepth = 3;

/** Instead of a condition on fields that a user may not see: what it says would show their values. */
export const alwaysRequired: FieldCondition = Object.freeze({ all: Object.freeze([]) });

/** The conditions of a field. A required field that is not always shown is required while it is shown. */
export function conditionsOf({ required, visibleIf, requiredIf }: FieldOptions): Partial<FieldDescriptor> {
  const needed = required === true && visibleIf !== undefined ? visibleIf : requiredIf;
  return {
    ...(visibleIf === undefined ? {} : { visibleIf: structuredClone(visibleIf) }),
    ...(needed === undefined ? {} : { requiredIf: structuredClone(needed) }),
  };
}

/** The end of a sentence that begins with the field and `has`, when the value is no condition. */
export function refuseCondition(value: unknown, name: string): string | undefined {
  return isCondition(value, 0)
    ? undefined
    : `a ${name} that is not a condition, such as { field: 'kind', equals: 'EVENT' }; comparisons are ${conditionComparisons.join(', ')}, groups are all and any, at most ${maxDepth} levels deep`;
}

function isCondition(value: unknown, depth: number): value is FieldCondition {
  if (!isJsonObject(value)) return false;
  const names = Object.keys(value);
  const [group] = names;
  if (names.length === 1 && (group === 'all' || group === 'any')) {
    const members: unknown = value[group];
    const isFilled = Array.isArray(members) && members.length > 0;
    return isFilled && depth < maxDepth && members.every((member) => isCondition(member, depth + 1));
  }
  const [comparison, ...others] = names.filter((name) => name !== 'field');
  if (typeof value['field'] !== 'string' || comparison === undefined || others.length > 0) return false;
  const wanted: unknown = value[comparison];
  switch (comparison) {
    case 'empty':
      return typeof wanted === 'boolean';
    case 'in':
      return Array.isArray(wanted) && wanted.length > 0 && wanted.every(isConditionValue);
    default:
      return (comparison === 'equals' || comparison === 'notEquals') && isConditionValue(wanted);
  }
}

function isConditionValue(value: unknown): value is ConditionValue {
  return typeof value === 'string' ? !isBlankText(value) : ['number', 'boolean'].includes(typeof value);
}

/** Conditions on fields that do not exist, of fields that decide on themselves, and that other options make impossible. */
export function conditionProblems(fields: readonly DeclaredField[]): readonly string[] {
  const conditional = fields.map(({ name, options: { visibleIf, requiredIf } }) => ({
    name,
    ...(visibleIf === undefined ? {} : { visibleIf }),
    ...(requiredIf === undefined ? {} : { requiredIf }),
  }));
  return fields.flatMap(({ name, options }) => {
    const { visibleIf, requiredIf, required, onDelete = 'restrict', editableOnUpdate } = options;
    if (visibleIf === undefined && requiredIf === undefined) return [];
    const shownBy = visibleIf === undefined ? { name } : { name, visibleIf };
    const changing = [...fieldsDecidingOn({ name, ...options }, conditional)].filter((other) =>
      fields.some((field) => field.name === other && field.options.editableOnUpdate !== false),
    );
    const isNeeded = requiredIf !== undefined || required === true;
    return [
      ...unknown('visibleIf', visibleIf, fields),
      ...unknown('requiredIf', requiredIf, fields),
      ...(fieldsDecidingOn(shownBy, conditional).has(name) ? ['visibleIf that depends on the field itself'] : []),
      ...(fieldsOfCondition(requiredIf).includes(name) ? ['requiredIf that compares the field itself'] : []),
      ...(required === true && requiredIf !== undefined ? ['requiredIf but is required already; leave out one'] : []),
      ...(requiredIf !== undefined && (onDelete === 'setNull' || onDelete === 'removeLink')
        ? [`onDelete ${onDelete}, which could empty it, but requiredIf; use cascade or restrict`]
        : []),
      ...(editableOnUpdate === false && isNeeded && changing.length > 0
        ? [`a condition on ${changing.join(', ')}, which can change after the field itself cannot`]
        : []),
    ].map((what) => `${name} has ${what}`);
  });
}

function unknown(
  option: string,
  condition: FieldCondition | undefined,
  fields: readonly DeclaredField[],
): readonly string[] {
  return [...new Set(fieldsOfCondition(condition))].flatMap((name) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) return [`${option} that names ${name}, which is not a field`];
    // A form does not know its value before the item is saved.
    return field.options.computed === undefined ? [] : [`${option} that names ${name}, which is computed`];
  });
}

/** Comparisons with values that a field never has. */
export function comparisonProblems(fields: readonly FieldDescriptor[]): readonly string[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  return fields.flatMap((field) =>
    [field.visibleIf, field.requiredIf]
      .flatMap((condition) => comparedValues(condition))
      .flatMap(({ field: name, value }) => {
        const compared = known.get(name);
        const problem = compared === undefined ? undefined : refusedComparison(compared, value);
        return problem === undefined ? [] : [`${field.name} has a condition on ${name}, ${problem}`];
      }),
  );
}

interface Compared {
  readonly field: string;
  /** Undefined where it is only asked for a value. */
  readonly value: ConditionValue | undefined;
}

function comparedValues(condition: FieldCondition | undefined): readonly Compared[] {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(comparedValues);
  if ('any' in condition) return condition.any.flatMap(comparedValues);
  const { field } = condition;
  if ('in' in condition) return condition.in.map((value) => ({ field, value }));
  if ('empty' in condition) return [{ field, value: undefined }];
  return [{ field, value: 'equals' in condition ? condition.equals : condition.notEquals }];
}

function refusedComparison(field: FieldDescriptor, value: ConditionValue | undefined): string | undefined {
  const { valueType = 'string' } = field.kind.formMembers(field);
  if (field.multiple === true || valueType === 'object' || valueType === 'array') {
    return 'whose values have parts; conditions are about fields with one value, and references';
  }
  if (value === undefined) return undefined;
  if (field.reference !== undefined) return 'which is a REFERENCE; conditions only ask whether it is empty';
  const read = field.kind.parse(field.kind.fromModel(value), field);
  if (!read.ok) return `which is compared with ${JSON.stringify(value)}: it ${read.message}`;
  const wanted = field.numberKind === undefined ? typeof read.value : 'number';
  return typeof value === wanted
    ? undefined
    : `which is compared with ${JSON.stringify(value)}, which is not of the type ${wanted}`;
}
