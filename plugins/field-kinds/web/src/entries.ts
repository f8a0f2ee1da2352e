import type { Field, FieldValue } from '@gantry/ui';
import { digitsOf, exactText, exactValue, typedNumber } from './json-value';

/** An entry as its controls hold it. */
export interface Entry {
  /** Stays the same while the entry is moved and edited. */
  readonly key: number;
  readonly values: Readonly<Record<string, FieldValue>>;
  /** Members that are stored as an empty text, which is another value than none. */
  readonly empty: readonly string[];
}

/**
 * The entries of the text of a JSON array.
 * @param before entries that were shown until now; one at the same place is taken for the same, so that it keeps the focus
 */
export function readEntries(text: FieldValue, fields: readonly Field[], before: readonly Entry[]): readonly Entry[] {
  const first = nextKey(before);
  const found = exactValue(text);
  return (Array.isArray(found) ? (found as readonly unknown[]) : []).map((entry, index) => ({
    key: before[index]?.key ?? first + index,
    values: Object.fromEntries(fields.map(({ name }) => [name, heldValue(memberOf(entry, name))])),
    empty: fields.flatMap(({ name }) => (memberOf(entry, name) === '' ? [name] : [])),
  }));
}

/**
 * The text of their JSON; empty without entries. Members without a value are left out; those that were not edited are written as they
 * were received.
 */
export function writeEntries(entries: readonly Entry[], fields: readonly Field[]): string {
  if (entries.length === 0) return '';
  const texts = entries.map(({ values, empty }) => {
    const members = fields.flatMap((field) => {
      const value = values[field.name] ?? '';
      if (value === '' && !empty.includes(field.name)) return [];
      return [`${JSON.stringify(field.name)}:${value === '' ? '""' : writtenValue(field, value)}`];
    });
    return `{${members.join(',')}}`;
  });
  return `[${texts.join(',')}]`;
}

/** A tick that is not set is an answer; everything else begins without a value. */
export function newEntry(entries: readonly Entry[], fields: readonly Field[]): Entry {
  const values = fields.map(({ name, type }) => [name, type === 'BOOLEAN' ? false : ''] as const);
  return { key: nextKey(entries), values: Object.fromEntries(values), empty: [] };
}

function nextKey(entries: readonly Entry[]): number {
  return Math.max(-1, ...entries.map(({ key }) => key)) + 1;
}

function memberOf(entry: unknown, name: string): unknown {
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, name)) return undefined;
  return (entry as Readonly<Record<string, unknown>>)[name];
}

/** With every digit of its numbers. */
function heldValue(member: unknown): FieldValue {
  if (typeof member === 'object' && member !== null) return exactText(member);
  if (typeof member === 'boolean') return member;
  return digitsOf(member) ?? (typeof member === 'string' ? member : '');
}

/** Digits stay as they were typed; what is no number stays text, which the platform refuses with a reason. */
function writtenValue({ type }: Field, value: FieldValue): string {
  // Its control gives the text of its JSON.
  if (type === 'field-kinds.Money' && typeof value === 'string') return value;
  const number = type === 'NUMBER' && typeof value === 'string' ? typedNumber(value) : undefined;
  return number ?? JSON.stringify(value);
}
