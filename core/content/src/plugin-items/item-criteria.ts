import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import {
  bindCriterion,
  idField,
  maxCriteria,
  maxGroupDepth,
  maxValueLength,
  type BoundComparison,
  type BoundCriterion,
  type BoundGroup,
} from '../query/criteria';
import { relatedName, type Relation } from '../query/related-field';
import type { ItemTypes } from '../compile/item-types';
import { isMadeByFunction, type FieldDescriptor, type ItemTypeDescriptor } from '../compile/descriptor';
import type { Scope } from '../policy/scope';
import { isPlainObject } from './item-arguments';

const operators = {
  equals: 'EQUALS',
  contains: 'CONTAINS',
  moreThan: 'MORE_THAN',
  lessThan: 'LESS_THAN',
  notEquals: 'NOT_EQUALS',
  in: 'IN',
  between: 'BETWEEN',
  startsWith: 'STARTS_WITH',
  empty: 'EMPTY',
  before: 'BEFORE',
  after: 'AFTER',
} as const;

/** Whose value is a list. */
const ofLists: readonly string[] = ['in', 'between'] satisfies readonly (keyof typeof operators)[];

/**
 * Reads the criteria of plugin code. Nothing is skipped: a criterion that is left out by mistake must not mean all items.
 * @throws GantryError BAD_REQUEST
 */
export function readItemCriteria(
  { policy }: Scope,
  type: ItemTypeDescriptor,
  criteria: unknown,
): readonly BoundCriterion[] {
  return readAll(type, criteria, policy.types, 0);
}

function readAll(
  type: ItemTypeDescriptor,
  criteria: unknown,
  types: ItemTypes,
  depth: number,
): readonly BoundCriterion[] {
  if (!isPlainObject(criteria)) {
    throw refused(type, 'the criteria must be an object from field to value, such as { code: "A-1" }');
  }
  return Object.entries(criteria).flatMap(([name, value]) => {
    const holds = groups[name];
    return holds !== undefined && Object.hasOwn(groups, name)
      ? [readGroup(type, { name, holds, value }, types, depth)]
      : readCriterion(type, name, value, types);
  });
}

/** No field has a dollar sign in its name. */
const groups: Readonly<Record<string, BoundGroup['holds']>> = { $any: 'any', $all: 'all' };

function readGroup(
  type: ItemTypeDescriptor,
  { name, holds, value }: { readonly name: string; readonly holds: BoundGroup['holds']; readonly value: unknown },
  types: ItemTypes,
  depth: number,
): BoundGroup {
  if (depth >= maxGroupDepth) throw refused(type, `groups of criteria may be at most ${maxGroupDepth} levels deep`);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  if (entries.length === 0 || entries.length > maxCriteria) {
    throw refused(type, `${name} must be a list of 1 to ${maxCriteria} objects of criteria`);
  }
  const members = entries.map((entry): BoundGroup => {
    const read = readAll(type, entry, types, depth + 1);
    if (read.length === 0) throw refused(type, `${name} has an object without criteria`);
    return { holds: 'all', members: read };
  });
  return { holds, members };
}

function readCriterion(
  type: ItemTypeDescriptor,
  name: string,
  value: unknown,
  types: ItemTypes,
): readonly BoundCriterion[] {
  const { field, via } = findField(type, name, types);
  if (field === undefined) throw refused(type, `${truncate(name)} is not a field`);
  if (isMadeByFunction(field)) {
    throw refused(type, `${name} is computed by a function, so that it cannot be searched by`);
  }
  const comparisons = isPlainObject(value) ? Object.entries(value) : [['equals', value] as const];
  if (comparisons.length === 0) throw refused(type, `the criterion on ${name} has no value to compare with`);
  return comparisons.map(([operator, operand]) => {
    const bound = compare(type, field, operator, operand);
    return via === undefined ? bound : { ...bound, via };
  });
}

function findField(
  type: ItemTypeDescriptor,
  text: string,
  types: ItemTypes,
): { readonly field: FieldDescriptor | undefined; readonly via?: Relation } {
  const find = ({ fields }: ItemTypeDescriptor, name: string): FieldDescriptor | undefined =>
    name === 'id' ? idField : fields.find((candidate) => candidate.name === name);
  const related = text.includes('.') ? relatedName(type, text, types) : undefined;
  return related === undefined
    ? { field: find(type, text) }
    : { field: find(related.target, related.name), via: related };
}

function compare(type: ItemTypeDescriptor, field: FieldDescriptor, operator: string, value: unknown): BoundComparison {
  if (!isOperator(operator)) {
    const known = Object.keys(operators).join(', ');
    throw refused(
      type,
      `${truncate(operator)} is not an operator in the criterion on ${field.name}; known are ${known}`,
    );
  }
  if (value === undefined) {
    throw refused(type, `the criterion on ${field.name} is undefined; leave the field out, or give null for no value`);
  }
  if (value === null && operator === 'equals' && field.column !== '') return { field, operator: 'SAME', value };
  const text = textOf(operator, value);
  if (text === undefined) {
    const wanted = ofLists.includes(operator)
      ? 'a list of texts, numbers, booleans or ids'
      : 'a text, number, boolean or id';
    throw refused(type, `the criterion on ${field.name} is not ${wanted}`);
  }
  if (text.length > maxValueLength) {
    throw refused(type, `the value of the criterion on ${field.name} has more than ${maxValueLength} characters`);
  }
  const bound = bindCriterion(field, operators[operator], text);
  if ('message' in bound) throw refused(type, `the value of the criterion on ${field.name} ${bound.message}`);
  // A request falls back to equality (specification, section 2); code that asks for less or more would get what it did not mean.
  const found = bound.own?.name ?? bound.operator;
  if (operator !== 'equals' && found !== operators[operator]) {
    throw refused(type, `values of ${field.name} cannot be compared by ${operator}`);
  }
  return bound;
}

function isOperator(name: string): name is keyof typeof operators {
  return Object.hasOwn(operators, name);
}

function textOf(operator: string, value: unknown): string | undefined {
  if (!ofLists.includes(operator)) return comparableText(value);
  const texts = Array.isArray(value) ? value.map(comparableText) : [undefined];
  return texts.includes(undefined) ? undefined : JSON.stringify(texts);
}

function comparableText(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  return isComparable(value) ? String(value) : undefined;
}

function isComparable(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function refused(type: ItemTypeDescriptor, problem: string): GantryError {
  return new GantryError('BAD_REQUEST', `Failed to select ${type.displayName}: ${problem}.`);
}
