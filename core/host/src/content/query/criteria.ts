import type { ErrorDetail, Operator } from '@gantry/contracts';
import { operators } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import { shownAuthorFields } from '../compile/author-fields';
import { onceFor } from '../../common/once-for';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Refused } from '../kinds/field-kind';
import { longKind } from '../kinds/number';
import { comparableText } from '../kinds/text-kind';

/** A criterion that takes part in the query, its value converted by the field's kind. */
export interface BoundCriterion {
  readonly field: FieldDescriptor;
  /** Already reduced: CONTAINS on an exact kind is EQUALS here. SAME also compares with null, which means no value. */
  readonly operator: Operator | 'SAME' | SearchOperator;
  readonly value: string | boolean | null;
  /** The fields of which one has the text, for a {@link SearchOperator}. */
  readonly searched?: readonly FieldDescriptor[];
}

/** One of several fields begins with the text, or has it somewhere; or the item has the id that the text is. */
export type SearchOperator = 'BEGINS' | 'BEGINS_OR_ID' | 'HAS' | 'HAS_OR_ID';

export interface ParsedCriteria {
  readonly criteria: readonly BoundCriterion[];
  /** Fields whose criterion was skipped, and why (decisions, "Items"). */
  readonly skipped: readonly { readonly field: string; readonly reason: 'NOT_SEARCHABLE' | 'BLANK_VALUE' }[];
}

/** More would only be a mistake or an attack. */
export const maxCriteria = 100;

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
 * @param allowed the fields that may be compared; the searchable ones unless given
 * @throws GantryError BAD_REQUEST that names every criterion that cannot be read, with its field and value.
 */
export function parseCriteria(
  type: ItemTypeDescriptor,
  body: unknown,
  allowed: FieldsByName = searchableFields(type),
): ParsedCriteria {
  if (!Array.isArray(body)) {
    throw new GantryError('BAD_REQUEST', 'The body must be a JSON array of criteria { field, operator, value }.');
  }
  if (body.length > maxCriteria) {
    throw new GantryError('BAD_REQUEST', `At most ${maxCriteria} criteria are accepted; ${body.length} were sent.`);
  }
  assertValueLength(body);
  const criteria: BoundCriterion[] = [];
  const skipped: ParsedCriteria['skipped'][number][] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, entry] of body.entries()) {
    const shape = readShape(entry, index);
    if ('problems' in shape) {
      problems.push(...shape.problems);
      continue;
    }
    const field = allowed.get(shape.field) ?? platformField(type, shape.field);
    if (field === undefined) skipped.push({ field: shape.field, reason: 'NOT_SEARCHABLE' });
    else if (shape.value.trim() === '') skipped.push({ field: shape.field, reason: 'BLANK_VALUE' });
    else bind(field, shape, index, criteria, problems);
  }
  if (problems.length > 0) {
    throw new GantryError('BAD_REQUEST', problems.map((problem) => problem.message).join('; '), { details: problems });
  }
  return { criteria, skipped };
}

/** A field that every type has, or that the platform fills. */
export function platformField(type: ItemTypeDescriptor, name: string): FieldDescriptor | undefined {
  return [idField, ...shownAuthorFields(type)].find((field) => field.name === name);
}

/** Runs before any of them is converted. @throws GantryError BAD_REQUEST */
function assertValueLength(entries: readonly unknown[]): void {
  const values = entries.map((entry) => (isJsonObject(entry) ? member(entry, 'value') : undefined));
  const length = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
  if (length <= maxValueLength) return;
  throw new GantryError(
    'BAD_REQUEST',
    `The values of all criteria must have at most ${maxValueLength} characters together; they have ${length}. Send shorter values.`,
  );
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
export function equalityOf(type: ItemTypeDescriptor, name: string, value: string): BoundCriterion | undefined {
  const field = searchableFields(type).get(name);
  if (field === undefined) return undefined;
  const bound = bindCriterion(field, 'EQUALS', value);
  return 'message' in bound ? undefined : bound;
}

interface Shape {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** More would make an answer many times as long as the request. */
const maxNamedMembers = 10;

const members: ReadonlySet<string> = new Set(['field', 'operator', 'value']);

function readShape(entry: unknown, index: number): Shape | { readonly problems: readonly ErrorDetail[] } {
  if (!isJsonObject(entry)) {
    return { problems: [shapeProblem(`[${index}]`, 'must be an object { field, operator, value }')] };
  }
  const problems = Object.keys(entry)
    .filter((key) => !members.has(key))
    .slice(0, maxNamedMembers)
    .map((key) =>
      shapeProblem(`[${index}].${truncate(key)}`, 'is not a member of a criterion; known are field, operator, value'),
    );
  const field: unknown = member(entry, 'field');
  const operator: unknown = member(entry, 'operator') ?? 'CONTAINS';
  const value: unknown = member(entry, 'value') ?? '';
  if (typeof field !== 'string') {
    problems.push(shapeProblem(`[${index}].field`, 'must be the name of a field, as text'));
  }
  if (typeof operator !== 'string') {
    problems.push(shapeProblem(`[${index}].operator`, `must be one of ${operators.join(', ')}`));
  }
  if (typeof value !== 'string') problems.push(shapeProblem(`[${index}].value`, 'must be text, also for numbers'));
  if (typeof field !== 'string' || typeof value !== 'string' || problems.length > 0) return { problems };
  return { field, value, operator: operators.find((known) => known === operator) ?? 'CONTAINS' };
}

function member(entry: JsonObject, name: string): unknown {
  return Object.hasOwn(entry, name) ? entry[name] : undefined;
}

function shapeProblem(path: string, message: string): ErrorDetail {
  return { path, code: 'CRITERION', message: `${path} ${message}` };
}

function bind(
  field: FieldDescriptor,
  shape: Shape,
  index: number,
  criteria: BoundCriterion[],
  problems: ErrorDetail[],
): void {
  const bound = bindCriterion(field, shape.operator, shape.value);
  if (!('message' in bound)) {
    criteria.push(bound);
    return;
  }
  problems.push({
    path: `[${index}].value`,
    code: bound.code,
    message: `the value ${JSON.stringify(truncate(shape.value))} for ${field.name} ${bound.message}`,
  });
}

/** A criterion on a field, its value converted by the field's kind; or why the field cannot have the value. */
export function bindCriterion(field: FieldDescriptor, operator: Operator, text: string): BoundCriterion | Refused {
  const { kind } = field;
  const converted = kind.convert(operator === 'EQUALS' ? comparableText(text, field) : text, field);
  return converted.ok ? { field, operator: reduced(operator, kind), value: converted.value } : converted;
}

/** Whether at most one item can meet the criteria, because they name its id or values that are unique together. */
export function isUniqueKey(type: ItemTypeDescriptor, criteria: readonly BoundCriterion[]): boolean {
  const given = new Set(criteria.flatMap(({ field, operator }) => (operator === 'EQUALS' ? [field.name] : [])));
  return given.has(idField.name) || type.unique.some((names) => names.every((name) => given.has(name)));
}

function reduced(operator: Operator, kind: { readonly exact: boolean; readonly unordered: boolean }): Operator {
  if (kind.unordered || (kind.exact && operator === 'CONTAINS')) return 'EQUALS';
  return operator;
}
