import type { ErrorDetail } from '@gantry/contracts';
import type { JsonObject } from '../../items/json';

/** One item as it stands in the file, or why it cannot be read. */
export type SourceRecord =
  | { readonly line: number; readonly values: JsonObject; readonly size: number }
  | { readonly line: number; readonly problem: ErrorDetail };

/** A file that is being read. */
export interface RecordSource {
  /** Names of the columns; undefined for JSON, where every item has keys of its own. */
  readonly columns: readonly string[] | undefined;
  /** In the order of the file, as many at once as come together. */
  readonly records: AsyncIterable<readonly SourceRecord[]>;
}

/** Characters of one item at most; a longer one is a mistake and would only fill the memory. */
export const longestRecord = 16 * 1024 * 1024;

export function unreadable(line: number, message: string): SourceRecord {
  return { line, problem: { path: '', code: 'SYNTAX', message } };
}
