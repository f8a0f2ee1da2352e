import { type DetailCode, type ErrorDetail, operators } from '@gantry/contracts';
import { GantryError, type BoundOperand, type KindOperator } from '@gantry/plugin-api';
import { truncate, onceFor, isJsonObject, type JsonObject } from '@gantry/core-common';
import { shownAuthorFields } from '../compile/author-fields';
import type { ItemTypes } from '../compile/item-types';
import { relatedName, type Relation } from './related-field';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { FieldKind, Parsed, Refused } from '../kinds/field-kind';
import { longKind } from '../kinds/number';
import { checkStorable } from '../kinds/text-characters';
import { comparableText } from '../kinds/text-kind';
import { convertText } from './convert-text';

/** A criterion that takes part in the query: a comparison, or a group of criteria. */
export type BoundCriterion = BoundComparison | BoundGroup;

/** A comparison, its value converted by the field's kind. */
export interface BoundComparison {
  readonly field: FieldDescriptor;
  /**
   * Already reduced: CONTAINS on an exact kind is EQUALS here. SAME also compares with null, which means no value; OWN is an operator
   * of the kind.
   */
  readonly operator: SpecifiedOperator | 'SAME' | 'OWN' | SearchOperator;
  readonly value: string | boolean | null;
  /** The fields of which one has the text, for a {@link SearchOperator}. */
  readonly searched?: readonly FieldDescriptor[];
  /** Where the field is one of the items that this reference refers to: one of them meets the comparison. */
  readonly via?: Relation;
  /** The condition of the operator OWN. */
  readonly own?: BoundOperand & { readonly name: string };
}

/** Criteria of which one, or all, must hold. */
export interface BoundGroup {
  readonly holds: 'any' | 'all';
  readonly members: readonly BoundCriterion[];
}

/** The operators of the specification. */
export type SpecifiedOperator = (typeof operators)[number];

export function isGroup(criterion: BoundCriterion): criterion is BoundGroup {
  return 'members' in criterion;
}

/** A criterion on one field. */
export function isComparison(criterion: BoundCriterion): criterion is BoundComparison {
  return !isGroup(criterion);
}

/** One of several fields begins with the text, or has it somewhere; or the item has the id that the text is. */
export type SearchOperator = 'BEGINS' | 'BEGINS_OR_ID' | 'HAS' | 'HAS_OR_ID';

export interface ParsedCriteria {
  readonly criteria: readonly BoundCriterion[];
  /** Fields whose criterion was skipped, and why. */
  readonly skipped: readonly { readonly field: string; readonly reason: 'NOT_SEARCHABLE' | 'BLANK_VALUE' }[];
}

/** More would only be a mistake or an attack; those in groups count. */
export const maxCriteria = 100;

/** Groups in groups. */
export const maxGroupDepth = 3;

/** Of all values together, in UTF-16 units: to normalize them and to escape their wildcards takes the main thread. */
export const maxValueLength = 100_000;

/** The id as a field, so that saved selections can be fetched by primary key. */
export const idField: FieldDescriptor = Object.freeze({
  name: 'id',
  displayName: 'Id',
  type: longKind.type,
  kind: longKind,
  column: 'id',
  columnType: 'BIGINT',
  required: true,
  searchable: true,
  editableOnUpdate: false,
  placeholder: '',
});

/**
 * Reads an array of search criteria (specification 4.4).
 * @param options `allowed` are the fields that may be compared, the searchable ones unless given; `types` are those whose fields can be
 * compared by way of a reference
 * @throws GantryError BAD_REQUEST that names every criterion that cannot be read, with its field and value.
 */
export function parseCriteria(
  type: ItemTypeDescriptor,
  body: unknown,
  { types, allowed = searchableFields(type), isStrict = false }: CriteriaOptions = {},
): ParsedCriteria {
  if (!Array.isArray(body)) {
    throw refusedCriteria('', 'WRONG_TYPE', 'The body must be a JSON array of criteria { field, operator, value }');
  }
  const reading: Reading = { type, types, allowed, isStrict, skipped: [], problems: [], entries: 0, length: 0 };
  measure(body, '', 0, reading);
  const criteria = readEntries(body, '', reading);
  const { problems, skipped } = reading;
  if (problems.length > 0) {
    throw new GantryError('BAD_REQUEST', problems.map((problem) => problem.message).join('; '), { details: problems });
  }
  return { criteria, skipped };
}

export interface CriteriaOptions {
  readonly allowed?: FieldsByName;
  readonly types?: ItemTypes;
  /** Refuses what would be skipped, and operators that the field does not have, which would behave as CONTAINS. */
  readonly isStrict?: boolean;
}

/** The context in which criteria are read. */
interface Reading {
  readonly type: ItemTypeDescriptor;
  readonly types: ItemTypes | undefined;
  readonly allowed: FieldsByName;
  readonly isStrict: boolean;
  readonly skipped: ParsedCriteria['skipped'][number][];
  readonly problems: ErrorDetail[];
  entries: number;
  /** Of all values together. */
  length: number;
}

/** Runs before any value is converted. @throws GantryError BAD_REQUEST */
function measure(entries: readonly unknown[], path: string, depth: number, reading: Reading): void {
  reading.entries += entries.length;
  if (reading.entries > maxCriteria) {
    const sent = depth === 0 ? `${entries.length} were sent` : 'more were sent, those in groups included';
    throw refusedCriteria(path, 'TOO_MANY', `At most ${maxCriteria} criteria are accepted; ${sent}`);
  }
  if (depth > maxGroupDepth) {
    throw refusedCriteria(path, 'CRITERION', `Groups of criteria may be at most ${maxGroupDepth} levels deep`);
  }
  for (const [index, entry] of entries.entries()) {
    const group = groupOf(entry);
    if (group !== undefined) measure(group.entries, `${path}[${index}].${group.holds}`, depth + 1, reading);
    const value = isJsonObject(entry) ? member(entry, 'value') : undefined;
    if (typeof value === 'string') reading.length += value.length;
  }
  if (reading.length <= maxValueLength || depth > 0) return;
  throw refusedCriteria(
    path,
    'TOO_LONG',
    `The values of all criteria must have at most ${maxValueLength} characters together; they have ${reading.length}. Send shorter values`,
  );
}

/** @param path of the group; empty for all criteria */
function refusedCriteria(path: string, code: DetailCode, message: string): GantryError {
  return new GantryError('BAD_REQUEST', `${message}.`, { details: [{ path, code, message }] });
}

interface Group {
  readonly holds: BoundGroup['holds'];
  readonly entries: readonly unknown[];
}

/** An object with the only member `any` or `all`, which is an array. */
function groupOf(entry: unknown): Group | undefined {
  if (!isJsonObject(entry)) return undefined;
  const [name, ...others] = Object.keys(entry);
  if (others.length > 0 || (name !== 'any' && name !== 'all')) return undefined;
  const entries = entry[name];
  return Array.isArray(entries) ? { holds: name, entries } : undefined;
}

/** @param path of the group, for messages */
function readEntries(entries: readonly unknown[], path: string, reading: Reading): readonly BoundCriterion[] {
  return entries.flatMap((entry, index) => {
    const position = `${path}[${index}]`;
    const group = groupOf(entry);
    if (group === undefined) return readComparison(entry, position, reading);
    const members = readEntries(group.entries, `${position}.${group.holds}`, reading);
    // The remaining criteria of a group are its condition; an empty group is none.
    return members.length === 0 ? [] : [{ holds: group.holds, members }];
  });
}

function readComparison(entry: unknown, position: string, reading: Reading): readonly BoundCriterion[] {
  const { problems } = reading;
  const shape = readShape(entry, position);
  if ('problems' in shape) {
    problems.push(...shape.problems);
    return [];
  }
  const { field, via } = findField(shape.field, reading);
  if (field === undefined || shape.value.trim() === '') {
    skip({ field: shape.field, reason: field === undefined ? 'NOT_SEARCHABLE' : 'BLANK_VALUE' }, position, reading);
    return [];
  }
  if (reading.isStrict && !operatorsOf(field.kind).includes(shape.operator)) {
    problems.push(unknownOperator(field, shape, `${position}.operator`));
    return [];
  }
  const bound = bindCriterion(field, shape.operator, shape.value);
  if (!('message' in bound)) return [via === undefined ? bound : { ...bound, via }];
  problems.push({
    path: `${position}.value`,
    code: bound.code,
    message: `the value ${JSON.stringify(truncate(shape.value))} for ${shape.field} ${bound.message}`,
  });
  return [];
}

function unknownOperator({ kind }: FieldDescriptor, { field, operator }: Shape, path: string): ErrorDetail {
  const known = operatorsOf(kind).join(', ');
  const message = `${path} must be one of ${known} for ${truncate(field)}; "${truncate(operator)}" was sent`;
  return { path, code: 'NOT_AN_OPTION', message };
}

/** A criterion that says nothing is left out and named, or refused. */
function skip(
  criterion: ParsedCriteria['skipped'][number],
  position: string,
  { type, isStrict, skipped, problems }: Reading,
): void {
  const field = truncate(criterion.field);
  if (!isStrict) skipped.push(criterion);
  else if (criterion.reason === 'BLANK_VALUE') {
    const path = `${position}.value`;
    problems.push({ path, code: 'REQUIRED', message: `${path} must not be blank: ${field} is compared with it` });
  } else {
    const path = `${position}.field`;
    problems.push({ path, code: 'UNKNOWN_FIELD', message: `${type.displayName} cannot be searched by "${field}"` });
  }
}

function findField(
  name: string,
  { type, types, allowed }: Reading,
): { readonly field: FieldDescriptor | undefined; readonly via?: Relation } {
  const own = allowed.get(name) ?? platformField(type, name);
  const related = own !== undefined || types === undefined ? undefined : relatedName(type, name, types);
  // Each step of a path has to be one that can be searched by.
  if (related === undefined || !allowed.has(related.field.name)) return { field: own };
  const { target } = related;
  return { field: searchableFields(target).get(related.name) ?? platformField(target, related.name), via: related };
}

/** A field that every type has, or that the platform fills. */
export function platformField(type: ItemTypeDescriptor, name: string): FieldDescriptor | undefined {
  return [idField, ...shownAuthorFields(type)].find((field) => field.name === name);
}

export type FieldsByName = ReadonlyMap<string, FieldDescriptor>;

/** The fields that lists can be searched and sorted by. */
export const searchableFields: (type: ItemTypeDescriptor) => FieldsByName = onceFor(({ fields }) =>
  fieldsByName(fields.filter(({ searchable }) => searchable)),
);

export function fieldsByName(fields: readonly FieldDescriptor[]): FieldsByName {
  return new Map(fields.map((field) => [field.name, field]));
}

/** The criterion that a field has a value. @returns undefined when it cannot be searched by, or cannot hold the value */
export function equalityOf(type: ItemTypeDescriptor, name: string, value: string): BoundComparison | undefined {
  const field = searchableFields(type).get(name);
  if (field === undefined) return undefined;
  const bound = bindCriterion(field, 'EQUALS', value);
  return 'message' in bound ? undefined : bound;
}

interface Shape {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** More would make an answer many times as long as the request. */
const maxNamedMembers = 10;

const members: ReadonlySet<string> = new Set(['field', 'operator', 'value']);

function readShape(entry: unknown, position: string): Shape | { readonly problems: readonly ErrorDetail[] } {
  if (!isJsonObject(entry)) {
    return {
      problems: [shapeProblem(position, 'must be an object { field, operator, value }')],
    };
  }
  const problems = Object.keys(entry)
    .filter((key) => !members.has(key))
    .slice(0, maxNamedMembers)
    .map((key) =>
      shapeProblem(`${position}.${truncate(key)}`, 'is not a member of a criterion; known are field, operator, value'),
    );
  const field: unknown = member(entry, 'field');
  const operator: unknown = member(entry, 'operator') ?? 'CONTAINS';
  const value: unknown = member(entry, 'value') ?? '';
  if (typeof field !== 'string') {
    problems.push(shapeProblem(`${position}.field`, 'must be the name of a field, as text'));
  }
  if (typeof operator !== 'string') {
    problems.push(shapeProblem(`${position}.operator`, `must be one of ${operators.join(', ')}`));
  }
  if (typeof value !== 'string') problems.push(shapeProblem(`${position}.value`, 'must be text, also for numbers'));
  if (typeof field !== 'string' || typeof value !== 'string' || typeof operator !== 'string' || problems.length > 0) {
    return { problems };
  }
  return { field, value, operator };
}

function member(entry: JsonObject, name: string): unknown {
  return Object.hasOwn(entry, name) ? entry[name] : undefined;
}

function shapeProblem(path: string, message: string): ErrorDetail {
  return { path, code: 'CRITERION', message: `${path} ${message}` };
}

/**
 * A criterion on a field, its value converted by the field's kind; or why the field cannot have the value. An operator that the kind
 * does not have behaves as CONTAINS (specification 4.4).
 */
export function bindCriterion(field: FieldDescriptor, name: string, text: string): BoundComparison | Refused {
  const { kind } = field;
  const operator = effectiveOperator(kind, operatorOf(kind, name) ?? 'CONTAINS');
  const own = ownOperator(kind, operator);
  if (own !== undefined) {
    const operand = bindOwn(own, field, text);
    if (!operand.ok) return operand;
    return { field, operator: 'OWN', value: operand.value.value ?? null, own: { ...operand.value, name: operator } };
  }
  const specified = operators.find((known) => known === operator) ?? 'CONTAINS';
  const converted = convertText(field, name === 'EQUALS' ? comparableText(text, field) : text);
  return converted.ok ? { field, operator: specified, value: converted.value } : converted;
}

/** The operator as which one behaves for values of the kind. */
function effectiveOperator(kind: FieldKind, name: string): string {
  const specified = operators.find((known) => known === name);
  return specified === undefined || ownOperator(kind, name) !== undefined ? name : reduced(specified, kind);
}

/** A list of values may have, in its JSON, characters that its text does not. */
function bindOwn(operator: KindOperator, field: FieldDescriptor, text: string): Parsed<BoundOperand> {
  const storable = checkStorable(text);
  if (!storable.ok) return storable;
  const operand = operator.bind(text, field, field.kind);
  if (!operand.ok || typeof operand.value.value !== 'string') return operand;
  const bound = checkStorable(operand.value.value);
  return bound.ok ? operand : bound;
}

/** The name of an operator if the kind has it. */
export function operatorOf(kind: Pick<FieldKind, 'operators'>, name: string): string | undefined {
  return operators.some((known) => known === name) || ownOperator(kind, name) !== undefined ? name : undefined;
}

function ownOperator({ operators: own }: Pick<FieldKind, 'operators'>, name: string): KindOperator | undefined {
  return Object.hasOwn(own, name) ? own[name] : undefined;
}

/** The operators that make a difference for values of the kind, those of the specification first. */
export function operatorsOf(kind: FieldKind): readonly string[] {
  const specified = operators.filter((name) => effectiveOperator(kind, name) === name);
  return [...specified, ...Object.keys(kind.operators).filter((name) => !operators.some((known) => known === name))];
}

/** Whether at most one item can meet the criteria, because they name its id or values that are unique together. */
export function isUniqueKey(type: ItemTypeDescriptor, criteria: readonly BoundCriterion[]): boolean {
  const compared = criteria.filter(isComparison);
  const given = new Set(
    compared.flatMap(({ field, operator, via }) => (operator === 'EQUALS' && via === undefined ? [field.name] : [])),
  );
  return given.has(idField.name) || type.unique.some((names) => names.every((name) => given.has(name)));
}

function reduced(operator: SpecifiedOperator, kind: Pick<FieldKind, 'exact' | 'unordered'>): SpecifiedOperator {
  if (kind.unordered || (kind.exact && operator === 'CONTAINS')) return 'EQUALS';
  return operator;
}
