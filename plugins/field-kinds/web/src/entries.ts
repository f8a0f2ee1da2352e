import type { Field, FieldValue } from '@gantry/ui';
import { jsonValue } from './json-value';

/** An entry as its controls hold it. */
export interface Entry {
  /** Stays the same while the entry is moved and edited. */
  readonly key: number;
  readonly values: Readonly<Record<string, FieldValue>>;
}

/**
 * The entries of the text of a JSON array.
 * @param before entries that were shown until now; one at the same place is taken for the same, so that it keeps the focus
 */
export function readEntries(text: FieldValue, fields: readonly Field[], before: readonly Entry[]): readonly Entry[] {
  const first = nextKey(before);
  const found = jsonValue(text);
  return (Array.isArray(found) ? (found as readonly unknown[]) : []).map((entry, index) => ({
    key: before[index]?.key ?? first + index,
    values: Object.fromEntries(fields.map(({ name }) => [name, heldValue(entry, name)])),
  }));
}

/** The text of their JSON; empty without entries. Members without a value are left out. */
export function writeEntries(entries: readonly Entry[], fields: readonly Field[]): string {
  if (entries.length === 0) return '';
  const texts = entries.map(({ values }) => {
    const members = fields.flatMap((field) => {
      const value = values[field.name] ?? '';
      return value === '' ? [] : [`${JSON.stringify(field.name)}:${writtenValue(field, value)}`];
    });
    return `{${members.join(',')}}`;
  });
  return `[${texts.join(',')}]`;
}

/** A tick that is not set is an answer; everything else begins without a value. */
export function newEntry(entries: readonly Entry[], fields: readonly Field[]): Entry {
  const values = fields.map(({ name, type }) => [name, type === 'BOOLEAN' ? false : ''] as const);
  return { key: nextKey(entries), values: Object.fromEntries(values) };
}

function nextKey(entries: readonly Entry[]): number {
  return Math.max(-1, ...entries.map(({ key }) => key)) + 1;
}

function heldValue(entry: unknown, name: string): FieldValue {
  if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, name)) return '';
  const value = (entry as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : '';
}

/** Digits stay as they were typed; what is no number stays text, which the platform refuses with a reason. */
function writtenValue({ type }: Field, value: FieldValue): string {
  // Its control gives the text of its JSON.
  if (type === 'field-kinds.Money' && typeof value === 'string') return value;
  const isNumber = type === 'NUMBER' && typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value.trim());
  return isNumber ? value.trim() : JSON.stringify(value);
}
