import { pipeline, Readable } from 'node:stream';
import { parse, type CsvError, type Parser } from 'csv-parse';
import { truncate } from '@gantry/core-common';
import { TransferError } from '../transfer-error';
import { TimeSlice } from '../time-slice';
import { countLines } from './decode-text';
import { maxImportLineLimit } from '../limits';
import { unreadable, type RecordSource, type SourceRecord } from './source-record';

interface CsvRow {
  /** Null for an empty cell where empty text is kept. */
  readonly record: readonly (string | null)[];
  readonly info: { readonly lines: number };
}

export interface CsvOptions {
  readonly delimiter: string;
  /** Bytes of a row at most. */
  readonly maxLineLength: number;
  /** Two quotes are empty text; else they are no value, as an empty cell is. */
  readonly keepEmpty: boolean;
}

/** Rows that are handed on together at most. */
const largestGroup = 200;

/**
 * Reads rows of separated values whose first line names the columns. Every value is text, or null for an empty cell.
 * @throws TransferError when there is no header, or it names a column twice
 */
export async function readCsv(text: AsyncIterable<string>, options: CsvOptions): Promise<RecordSource> {
  const failure: Failure = {};
  const rows = openParser(text, options, failure)[Symbol.asyncIterator]() as AsyncIterator<CsvRow>;
  const header = await rows.next();
  if (header.done === true || isBehind(header.value, failure)) throw noHeader(failure);
  const columns = header.value.record.map((name) => (name ?? '').trim());
  assertColumns(columns);
  return { columns, records: readRows(rows, { columns, failure, keepEmpty: options.keepEmpty }) };
}

/** Where the file stops being CSV. What follows a misplaced quote cannot be distinguished from what is within it. */
interface Failure {
  first?: { readonly line: number; readonly reason: string };
}

function openParser(
  text: AsyncIterable<string>,
  { delimiter, maxLineLength, keepEmpty }: CsvOptions,
  failure: Failure,
): Parser {
  const parser = parse({
    delimiter,
    // All at once: left to guess, the parser takes the first one for the only one, and is slow until it has found it.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    // Of one column, a blank line is an item without a value.
    skip_empty_lines: !keepEmpty,
    ...(keepEmpty ? { cast: cellOf } : {}),
    // Both are reported with their line. As errors of the stream they would drop the rows that wait to be read.
    relax_column_count: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      failure.first ??= { line: lineOf(error), reason: describe(error, maxLineLength) };
    },
    max_record_size: maxLineLength,
  });
  // The parser passes the error of the text on to its reader.
  pipeline(Readable.from(inSlices(text, new RowWidth(delimiter))), parser, () => undefined);
  return parser;
}

/** Characters that the parser gets at once: it reads all of them in one go, and rows that are wrong take it long. */
const sliceLength = 8 * 1024;

async function* inSlices(text: AsyncIterable<string>, width: RowWidth): AsyncGenerator<string, void, undefined> {
  const slice = new TimeSlice();
  for await (const chunk of text) {
    width.check(chunk);
    for (let at = 0; at < chunk.length;) {
      if (slice.isOver()) await slice.next();
      // The halves of a surrogate pair belong together: alone, each would be lost on its way to the parser.
      const end = isHighSurrogate(chunk.charCodeAt(at + sliceLength - 1)) ? at + sliceLength + 1 : at + sliceLength;
      yield chunk.slice(at, end);
      at = end;
    }
  }
}

/** Values of a row at most, unless the header names more; to refuse a row of a million values takes the parser 60 ms. */
const minMaxValues = 10_000;

/** Counts the delimiters of each row as far as its quotes are in their place. */
class RowWidth {
  private line = 1;
  private delimiters = 0;
  private isQuoted = false;
  /** Infinite while the header is read. */
  private maxValues = Infinity;

  constructor(private readonly delimiter: string) {}

  /** @throws TransferError for a row of too many values */
  check(chunk: string): void {
    const first = this.delimiter.charCodeAt(0);
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index);
      if (code === quote) this.isQuoted = !this.isQuoted;
      else if (code === lineFeed || code === carriageReturn) {
        if (code === lineFeed) this.line += 1;
        if (!this.isQuoted) this.endRow();
      } else if (code === first && !this.isQuoted && chunk.startsWith(this.delimiter, index)) {
        this.delimiters += 1;
        if (this.delimiters >= this.maxValues) throw this.tooManyValues();
      }
    }
  }

  private endRow(): void {
    if (this.maxValues === Infinity) this.maxValues = Math.max(minMaxValues, this.delimiters + 1);
    this.delimiters = 0;
  }

  private tooManyValues(): TransferError {
    return new TransferError(
      `The row on line ${this.line} has more than ${this.maxValues.toLocaleString('en')} values.`,
      'Check the delimiter, and that every row ends with a line break.',
    );
  }
}

const [lineFeed, carriageReturn, quote] = [10, 13, 34];

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

async function* readRows(
  rows: AsyncIterator<CsvRow>,
  file: CsvFile,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  const { failure } = file;
  let group: SourceRecord[] = [];
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    if (isBehind(next.value, failure)) break;
    if (isBlankLine(next.value, file)) continue;
    group.push(recordOf(next.value, file));
    if (group.length < largestGroup) continue;
    yield group;
    group = [];
  }
  yield group;
  if (failure.first === undefined) return;
  const { line, reason } = failure.first;
  yield [unreadable(line, `is not valid CSV: ${reason}. The lines after it were not read`)];
}

/** The columns and records of a file. */
interface CsvFile {
  readonly columns: readonly string[];
  readonly failure: Failure;
  readonly keepEmpty: boolean;
}

function cellOf(value: string, { quoting }: { readonly quoting: boolean }): string | null {
  return value === '' && !quoting ? null : value;
}

function isBlankLine({ record }: CsvRow, { columns }: CsvFile): boolean {
  return columns.length > 1 && record.length === 1 && record[0] === null;
}

function isBehind({ info }: CsvRow, { first }: Failure): boolean {
  return first !== undefined && info.lines >= first.line;
}

function recordOf({ record, info }: CsvRow, { columns, keepEmpty }: CsvFile): SourceRecord {
  // The reported line is the one on which the row ends.
  const line = info.lines - record.reduce((sum, value) => sum + countLines(value ?? ''), 0);
  if (record.length !== columns.length) {
    return unreadable(line, `has ${record.length} values, and the header has ${columns.length} columns`);
  }
  // Without a prototype, so that no name of a column means anything but itself.
  const values = Object.create(null) as Record<string, string | null>;
  let size = 0;
  for (const [index, name] of columns.entries()) {
    const value = record[index] ?? null;
    size += value?.length ?? 0;
    values[name] = value === '' && !keepEmpty ? null : value;
  }
  return { line, values, size };
}

function assertColumns(columns: readonly string[]): void {
  const unnamed = columns.indexOf('');
  if (unnamed >= 0) {
    throw new TransferError(
      `Column ${unnamed + 1} has no name in the header.`,
      'Name it in the first line of the file.',
    );
  }
  const seen = new Set<string>();
  for (const name of columns) {
    if (seen.has(name)) {
      throw new TransferError(`The header names the column ${truncate(name)} twice.`, 'Give each column another name.');
    }
    seen.add(name);
  }
}

function noHeader({ first }: Failure): TransferError {
  const why = first === undefined ? 'It is empty.' : `Its first line is not valid CSV: ${first.reason}.`;
  return new TransferError(`The file has no header line. ${why}`, 'The first line of a CSV file names its columns.');
}

function lineOf(error: CsvError | undefined): number {
  return typeof error?.['lines'] === 'number' ? error['lines'] : 0;
}

function describe(error: CsvError | undefined, maxLength: number): string {
  switch (error?.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened and never closed';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'something other than the delimiter follows a closing quote; a quote within a value is written twice';
    case 'INVALID_OPENING_QUOTE':
      return 'a quote is within a value; put the value in quotes, and write the quote twice';
    case 'CSV_MAX_RECORD_SIZE':
      return `it is longer than ${maxLength} bytes; a quote may not be closed, or it needs a higher GANTRY_IMPORT_LINE_LIMIT, of up to ${maxImportLineLimit}`;
    default:
      return error?.message ?? 'it cannot be read';
  }
}
