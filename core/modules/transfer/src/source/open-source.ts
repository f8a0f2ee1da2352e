import type { TransferFormat } from '../transfer-format';
import { decodeText } from './decode-text';
import { parseRecords } from './parse-records';
import { readCsv } from './read-csv';
import { readJsonArray } from './read-json-array';
import { isLongerThan, type RecordSource, tooLong } from './source-record';
import type { TransferError } from '../transfer-error';
import { GrowingText } from './growing-text';
import type { RecordText } from './parse-record';

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

/** Cuts a file into its lines, each the JSON text of an item; blank lines are passed over. */
async function* readJsonLines(
  text: AsyncIterable<string>,
  maxLineLength: number,
): AsyncGenerator<readonly RecordText[], void, undefined> {
  const rest = new GrowingText();
  let line = 0;
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split('\n');
    rest.append(first);
    if (rest.isLongerThan(maxLineLength)) throw tooLongLine(line + 1, maxLineLength);
    const wrong = others.findIndex((content) => isLongerThan(content, maxLineLength));
    if (wrong >= 0) throw tooLongLine(line + wrong + 2, maxLineLength);
    const last = others.pop();
    if (last === undefined) continue;
    const lines = [rest.take(), ...others];
    rest.append(last);
    yield lines.flatMap((content, index) => recordOf(content, line + index + 1));
    line += lines.length;
  }
  yield recordOf(rest.take(), line + 1);
}

function recordOf(text: string, line: number): readonly RecordText[] {
  return /\S/.test(text) ? [{ line, text }] : [];
}

function tooLongLine(line: number, maxLength: number): TransferError {
  return tooLong(
    `Line ${line}`,
    maxLength,
    'Check that the file has one JSON object on every line; for one array of objects add --format json.',
    'Check that the file has one JSON object on every line; one array of objects is application/json.',
  );
}
