import type { ErrorDetail } from '@gantry/contracts';
import { truncate, type JsonObject } from '@gantry/core-common';
import {
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  isLinked,
} from '../../compile/descriptor';
import type { Refused, StoredValue, StoredValues } from '../../kinds/field-kind';
import { sourcesOf } from '../../kinds/derivation';
import { missingByCondition } from './required-fields';
import { isBlankText } from '../../kinds/text-characters';

export interface ParsedPayload {
  readonly values: StoredValues;
  readonly problems: readonly ErrorDetail[];
  /** The fields whose values were made from others. */
  readonly derived: readonly FieldDescriptor[];
}

/** `match`: the values by which an existing item is found, as they would be created. */
export type PayloadMode = 'create' | 'update' | 'match';

/**
 * Reads a create or update payload whole and collects every problem (specification 4.1).
 * `payload` comes from parseJson.
 */
export function parsePayload(type: ItemTypeDescriptor, payload: JsonObject, mode: PayloadMode): ParsedPayload {
  return withDerived(readFields(type, payload, mode));
}

/**
 * Reads the payload of a new item. Fields that a policy hides take their defaults.
 * @param waiting fields that get their values later
 */
export function parseNewItem(
  type: CompiledItemType,
  payload: JsonObject,
  waiting: ReadonlySet<string> = noFields,
): ParsedPayload {
  const parsed = readNewItem(type, payload);
  const { descriptor, stored = descriptor } = type;
  const given = { values: parsed.values, problems: parsed.problems, payload, waiting };
  const shown = missingByCondition(descriptor.fields, given);
  const isHidden = ({ name }: FieldDescriptor): boolean => descriptor.fields.every((field) => field.name !== name);
  const hidden =
    stored === descriptor
      ? []
      : missingByCondition(stored.fields, given).filter(({ field }) => isHidden(field) && field.plugin === undefined);
  return {
    ...parsed,
    problems: [
      ...parsed.problems,
      ...shown.map(({ detail }) => detail),
      ...(hidden.length > 0 && !parsed.problems.includes(hiddenRequired) ? [hiddenRequired] : []),
    ],
  };
}

const noFields: ReadonlySet<string> = new Set();

function readNewItem({ descriptor, stored = descriptor }: CompiledItemType, payload: JsonObject): ParsedPayload {
  const read = readFields(descriptor, payload, 'create');
  if (stored === descriptor) return withDerived(read);
  const shown = new Set(descriptor.fields.map(({ name }) => name));
  // Who does not see an extra field need not give it a value.
  const fields = stored.fields
    .filter(({ name }) => !shown.has(name))
    .map((field) => (field.plugin === undefined ? field : { ...field, required: false }));
  const hidden = readFields({ ...stored, fields }, {}, 'create');
  const { problems, ...parsed } = derive({
    values: new Map([...read.values, ...hidden.values]),
    problems: [...read.problems, ...hidden.problems],
    pending: [...read.pending, ...hidden.pending],
  });
  const visible = problems.filter(({ field }) => shown.has(field.name)).flatMap(({ details }) => details);
  const isLacking = hidden.problems.length > 0 || problems.some(({ field }) => !shown.has(field.name));
  return { ...parsed, problems: [...read.problems, ...visible, ...(isLacking ? [hiddenRequired] : [])] };
}

/** Values that were read, and fields whose values are made from them. */
interface ReadFields {
  readonly values: StoredValues;
  readonly problems: readonly ErrorDetail[];
  readonly pending: readonly FieldDescriptor[];
}

function readFields(type: ItemTypeDescriptor, payload: JsonObject, mode: PayloadMode): ReadFields {
  const values = new Map<string, StoredValue>();
  const pending: FieldDescriptor[] = [];
  const known = new Set(type.fields.map((field) => field.name));
  const unknown = Object.keys(payload).filter((key) => !known.has(key));
  const problems: ErrorDetail[] = [...unknownFields(type, unknown)];
  for (const field of type.fields) {
    const result = parseField(field, payload, mode);
    if (result === undefined) continue;
    if (result === toDerive) pending.push(field);
    else if (result.ok) values.set(field.name, result.value);
    else problems.push(...detailsOf(field.name, result));
  }
  return { values, problems, pending };
}

function withDerived(read: ReadFields): ParsedPayload {
  if (read.pending.length === 0) return { values: read.values, problems: read.problems, derived: [] };
  const { problems, ...parsed } = derive(read);
  return { ...parsed, problems: [...read.problems, ...problems.flatMap(({ details }) => details)] };
}

/** Makes the values that are made from others, and finds out why some cannot be made. */
function derive({ values: read, problems: found, pending }: ReadFields) {
  const values = new Map(read);
  const derived: FieldDescriptor[] = [];
  const problems: { readonly field: FieldDescriptor; readonly details: readonly ErrorDetail[] }[] = [];
  for (const field of pending) {
    const sources = sourcesOf(field);
    // Problems of these fields are in the list already.
    if (found.some(({ path }) => sources.includes(path))) continue;
    const given = Object.fromEntries(sources.map((name) => [name, read.get(name) ?? null]));
    const result = field.kind.derivation?.derive(given, field);
    if (result?.ok === true) {
      values.set(field.name, result.value);
      derived.push(field);
    } else if (result === undefined && !field.required) values.set(field.name, null);
    else problems.push({ field, details: detailsOf(field.name, result ?? withoutSource(sources)) });
  }
  return { values, derived, problems };
}

function withoutSource(sources: readonly string[]): Refused {
  return { ok: false, code: 'REQUIRED', message: `is required, or ${sources.join(', ')}, from which it is made` };
}

/** A value that has parts has a detail for each that is wrong, such as `links[2].url`. */
function detailsOf(name: string, { code, message, problems }: Refused): readonly ErrorDetail[] {
  const found = problems ?? [{ path: '', code, message }];
  return found.map((problem) => {
    const path = `${name}${problem.path}`;
    return { path, code: problem.code, message: `${path} ${problem.message}` };
  });
}

const hiddenRequired: ErrorDetail = {
  path: '',
  code: 'REQUIRED',
  message: 'a field that you have no right to set is required',
};

/** More would make an answer many times as long as the request. */
const maxNamedKeys = 100;

/** The problems of keys that are no field: the first hundred by name, and how many more there are. */
export function unknownFields(type: ItemTypeDescriptor, keys: readonly string[]): readonly ErrorDetail[] {
  const problems = keys.slice(0, maxNamedKeys).map((key) => unknownField(truncate(key), truncate(key), type));
  const others = keys.length - problems.length;
  return others === 0 ? problems : [...problems, unknownField('', `each of ${others} further keys`, type)];
}

function unknownField(path: string, what: string, type: ItemTypeDescriptor): ErrorDetail {
  return { path, code: 'UNKNOWN_FIELD', message: `${what} is not a field of ${type.displayName}` };
}

/** Names of the fields that a payload sets. */
export function sentFields({ fields }: ItemTypeDescriptor, payload: JsonObject): readonly string[] {
  return fields.flatMap(({ name }) => (Object.hasOwn(payload, name) ? [name] : []));
}

/** One sentence that names every problem. */
export function describeProblems(problems: readonly ErrorDetail[]): string {
  return problems.map((problem) => problem.message).join('; ');
}

function parseField(field: FieldDescriptor, payload: JsonObject, mode: PayloadMode) {
  const sent = Object.hasOwn(payload, field.name);
  if (field.computed !== undefined) return sent ? computed : undefined;
  if (!sent && mode === 'update') return undefined;
  // A new item gets the default of such a field.
  if (sent && mode === 'create' && field.editableOnCreate === false) return notWritable;
  const value = sent ? payload[field.name] : defaultOf(field);
  if (isBlank(field, value)) {
    if (mode !== 'update' && sourcesOf(field).length > 0) return toDerive;
    return field.required ? missing : absent(field, sent);
  }
  if (!sent) return { ok: true, value: value as StoredValue } as const;
  return field.kind.parse(value, field);
}

/** The value is made from others when these are read. */
const toDerive = 'derive';

const notWritable = { ok: false, code: 'NOT_EDITABLE', message: 'cannot be set by you' } as const;

const computed = { ok: false, code: 'NOT_EDITABLE', message: 'is computed and cannot be set' } as const;

const missing = { ok: false, code: 'REQUIRED', message: 'is required' } as const;

function absent(field: FieldDescriptor, sent: boolean) {
  if (!sent) return undefined;
  return { ok: true, value: isLinked(field) ? [] : null } as const;
}

function defaultOf(field: FieldDescriptor): StoredValue {
  return typeof field.default === 'number' ? String(field.default) : (field.default ?? null);
}

/**
 * Null counts as no value, for a required field also blank text and an empty list, and for some kinds also the empty text
 * that forms send for none.
 */
function isBlank(field: FieldDescriptor, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (value === '' && field.kind.isEmptyTextNone) return true;
  if (!field.required) return false;
  return (typeof value === 'string' && isBlankText(value)) || (Array.isArray(value) && value.length === 0);
}
