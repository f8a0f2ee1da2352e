import type { TransferFormat } from '../transfer-format';
import { decodeText } from './decode-text';
import { readCsv } from './read-csv';
import { readJsonArray } from './read-json-array';
import { readJsonLines } from './read-json-lines';
import type { RecordSource } from './source-record';

/** Begins to read a file. Holds no more of it in memory than a few records. */
export async function openSource(
  bytes: AsyncIterable<Uint8Array>,
  format: TransferFormat,
  delimiter: string,
): Promise<RecordSource> {
  const text = decodeText(bytes);
  switch (format) {
    case 'csv':
      return readCsv(text, delimiter);
    case 'json':
      return { columns: undefined, records: readJsonArray(text) };
    case 'jsonl':
      return { columns: undefined, records: readJsonLines(text) };
  }
}
