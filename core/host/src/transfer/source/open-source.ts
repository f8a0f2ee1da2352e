import type { TransferFormat } from '../transfer-format';
import { decodeText } from './decode-text';
import { parseRecords } from './parse-records';
import { readCsv } from './read-csv';
import { readJsonArray } from './read-json-array';
import { readJsonLines } from './read-json-lines';
import type { RecordSource } from './source-record';

export interface SourceOptions {
  /** Delimiter of a CSV file. */
  readonly delimiter: string;
  /** Bytes of one item at most. */
  readonly maxLineLength: number;
  /** In a CSV file, two quotes are empty text. */
  readonly keepEmpty: boolean;
}

/** Begins to read a file. Holds no more of it in memory than a few records. */
export async function openSource(
  bytes: AsyncIterable<Uint8Array>,
  format: TransferFormat,
  { delimiter, maxLineLength, keepEmpty }: SourceOptions,
): Promise<RecordSource> {
  const text = decodeText(bytes);
  switch (format) {
    case 'csv':
      return readCsv(text, { delimiter, maxLineLength, keepEmpty });
    case 'json':
      return { columns: undefined, records: parseRecords(readJsonArray(text, maxLineLength)) };
    case 'jsonl':
      return { columns: undefined, records: parseRecords(readJsonLines(text, maxLineLength)) };
  }
}
