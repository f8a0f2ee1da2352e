import type { FieldValue } from '@gantry/ui';
import { jsonValue } from './json-value';

/** A key and its text as the controls hold them. */
export interface KeyAndText {
  /** Stays the same while the two are edited. */
  readonly row: number;
  readonly key: string;
  readonly text: string;
}

/**
 * The keys and texts of the text of a JSON object.
 * @param before those that were shown until now; one at the same place is taken for the same, so that it keeps the focus
 */
export function readKeyValues(value: FieldValue, before: readonly KeyAndText[] = []): readonly KeyAndText[] {
  const first = nextRow(before);
  return Object.entries(keysOf(jsonValue(value))).map(([key, text], index) => ({
    row: before[index]?.row ?? first + index,
    key,
    text: typeof text === 'string' ? text : JSON.stringify(text),
  }));
}

/** The text of their JSON; empty without any. Rows without a key and text are left out. */
export function writeKeyValues(rows: readonly KeyAndText[]): string {
  const members = rows.flatMap(({ key, text }) =>
    key === '' && text === '' ? [] : [`${JSON.stringify(key)}:${JSON.stringify(text)}`],
  );
  return members.length === 0 ? '' : `{${members.join(',')}}`;
}

export function nextRow(rows: readonly KeyAndText[]): number {
  return Math.max(-1, ...rows.map(({ row }) => row)) + 1;
}

function keysOf(found: unknown): object {
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : {};
}
