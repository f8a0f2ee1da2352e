import { isJsonObject, numberText, type JsonObject } from '@gantry/core-common';
import { readId } from '@gantry/core-content';
import { parseKey, parseKeyList } from './key-text';
import type { ReferenceKey } from './reference-key';

/** How a file names one item: by id, or by the parts of its key, of which all but the first may be missing. */
export type ReferenceInput = { readonly id: string } | { readonly parts: readonly [string, ...(string | undefined)[]] };

/** How the references of a field are to be read. */
export interface ReferenceReading {
  /** Whether there may be several. */
  readonly isList: boolean;
  /** Undefined where items can only be named by id. */
  readonly key: ReferenceKey | undefined;
}

/** The references of a non-null JSON value; undefined when it is of no form that a reference can have. */
export function readReferences(value: unknown, reading: ReferenceReading): readonly ReferenceInput[] | undefined {
  if (!reading.isList) return listed([readReference(value, reading)]);
  return Array.isArray(value) ? listed(value.map((entry) => readReference(entry, reading))) : undefined;
}

/** The references in the text of a CSV cell. */
export function readReferenceText(
  text: string,
  { isList, key }: ReferenceReading,
): readonly ReferenceInput[] | undefined {
  if (key === undefined) {
    const ids = isList ? text.split('|') : [text];
    return listed(ids.map((id) => idInput(id.trim())));
  }
  const count = key.parts.length;
  const keys = isList ? parseKeyList(text, count) : [parseKey(text, count)];
  return listed(keys.map(keyInput));
}

function readReference(value: unknown, { key }: ReferenceReading): ReferenceInput | undefined {
  const number = numberText(value);
  if (number !== undefined) return idInput(number);
  if (typeof value === 'string') {
    return key === undefined ? idInput(value) : keyInput(parseKey(value, key.parts.length));
  }
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, 'id')) return idInput(textOf(value['id']) ?? '');
  return key === undefined ? undefined : objectInput(value, key);
}

/** `{ "code": "P-1", "catalog": "spring" }`: parts of the key by the names of their fields. */
function objectInput(value: JsonObject, key: ReferenceKey): ReferenceInput | undefined {
  const names = key.parts.map(({ field }) => field.name);
  if (!Object.keys(value).every((name) => names.includes(name))) return undefined;
  const [lead, ...rest] = names.map((name) => (Object.hasOwn(value, name) ? textOf(value[name]) : undefined));
  return lead === undefined ? undefined : { parts: [lead, ...rest] };
}

function idInput(text: string): ReferenceInput | undefined {
  const id = readId(text);
  return id.ok ? { id: id.value } : undefined;
}

function keyInput([lead = '', ...rest]: readonly string[]): ReferenceInput {
  return { parts: [lead, ...rest] };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : numberText(value);
}

function listed<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}
