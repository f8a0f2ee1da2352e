import { maxImportLineLimit } from '../limits';
import type { ErrorDetail } from '@gantry/contracts';
import type { JsonObject } from '@gantry/core-common';
import { TransferError } from '../transfer-error';

/** One item as it is in the file, or why it cannot be read. */
export type SourceRecord =
  | { readonly line: number; readonly values: JsonObject; readonly size: number }
  | { readonly line: number; readonly problem: ErrorDetail };

/** A file that is being read. */
export interface RecordSource {
  /** Names of the columns; undefined for JSON, where every item has its keys. */
  readonly columns: readonly string[] | undefined;
  /** In the order of the file, as many at once as come together. */
  readonly records: AsyncIterable<readonly SourceRecord[]>;
}

/** Distinguishes an item that was parsed, or cannot be, from one that is still a text. */
export function isReadable(source: SourceRecord | { readonly text: string }): source is SourceRecord {
  return !('text' in source);
}

/** Asks whether the text has more bytes than that. */
export function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}

/** The error for an item that is longer than it may be. */
export function tooLong(what: string, maxLength: number, remedy: string, requestRemedy = remedy): TransferError {
  const raise = `Longer ones need a higher GANTRY_IMPORT_LINE_LIMIT, of up to ${maxImportLineLimit}.`;
  return new TransferError(`${what} is longer than ${maxLength} bytes.`, `${remedy} ${raise}`, {
    requestRemedy: `${requestRemedy} ${raise}`,
  });
}

export function unreadable(line: number, message: string): SourceRecord {
  return { line, problem: { path: '', code: 'SYNTAX', message } };
}
