/** Format of a file, as the platform reads it. */
export type FileFormat = 'csv' | 'jsonl' | 'json';

export const mediaTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  json: 'application/json',
};

/** An item of a file. */
export interface PreviewRow {
  /** As the platform counts in its problems: from 1; of a CSV file the line on which the row begins. */
  readonly line: number;
  /** A text for every column. */
  readonly values: readonly string[];
}

/** The beginning of a file. */
export interface Preview {
  /** Names of columns or keys, in the order in which they come. */
  readonly columns: readonly string[];
  /** The first items. */
  readonly rows: readonly PreviewRow[];
  /** Why the columns cannot be determined. */
  readonly problem?: string;
}

export const delimiters = [',', ';', '\t', '|'] as const;

const previewBytes = 128 * 1024;
const maxRows = 1000;

/** The format by the name of the file; text that begins like an object or an array is JSON. */
export async function guessFormat(file: File): Promise<FileFormat> {
  const name = file.name.toLowerCase();
  if (/\.(jsonl|ndjson)$/.test(name)) return 'jsonl';
  if (/\.(csv|tsv|txt)$/.test(name)) return 'csv';
  const begin = (await beginningOf(file, 1024)).trimStart();
  if (begin.startsWith('[')) return 'json';
  return begin.startsWith('{') ? 'jsonl' : 'csv';
}

/** The one that cuts the first line into most parts. */
export async function guessDelimiter(file: File): Promise<string> {
  const [header = ''] = (await beginningOf(file)).split('\n', 1);
  const counts = delimiters.map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

export async function readPreview(file: File, format: FileFormat, delimiter: string): Promise<Preview> {
  const text = await beginningOf(file);
  if (text.trim() === '') return withoutColumns((await canBeRead(file)) ? 'The file is empty.' : unreadable);
  if (text.includes('\0')) return withoutColumns(noText);
  if (format === 'csv') return previewOfCsv(text, delimiter);
  return format === 'jsonl' ? previewOfLines(text) : previewOfArray(text, file.size > previewBytes);
}

function withoutColumns(problem: string): Preview {
  return { columns: [], rows: [], problem };
}

/** Empty for a file that cannot be read. */
async function beginningOf(file: File, bytes = previewBytes): Promise<string> {
  const text = await file
    .slice(0, bytes)
    .text()
    .catch(() => '');
  return text.replace(/^\uFEFF/, '');
}

const noText = 'The file is not UTF-8 text. Save the table as CSV, and choose that file.';

export const unreadable = 'The file cannot be read. It is a folder, or was changed, moved or removed. Choose it again.';

/** A browser gives out a file only as it was when it was chosen. */
export async function canBeRead(file: File): Promise<boolean> {
  const bytes = file.slice(0, 1).arrayBuffer();
  return bytes.then(
    () => true,
    () => false,
  );
}

function previewOfCsv(text: string, delimiter: string): Preview {
  const [header, ...rows] = csvRecords(text, delimiter, maxRows + 1);
  if (header === undefined) return withoutColumns('The file has no header line.');
  const columns = header.values.map((name) => name.trim());
  const wrong = problemOfHeader(columns);
  return wrong === undefined ? { columns, rows } : withoutColumns(wrong);
}

/** Problems that the platform rejects, too: columns are distinguished by their names. */
function problemOfHeader(names: readonly string[]): string | undefined {
  const unnamed = names.indexOf('');
  if (unnamed >= 0) {
    return `Column ${unnamed + 1} has no name in the first line of the file. Name it there, or choose another delimiter.`;
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  return `Two columns have the name ${repeated.slice(0, 120)}. Give each a different name in the first line of the file.`;
}

/** The first records; what is malformed is left to the platform to report. */
function csvRecords(text: string, delimiter: string, most: number): readonly PreviewRow[] {
  const records: PreviewRow[] = [];
  let record: string[] = [];
  let value = '';
  let quoted = false;
  let [line, begin] = [1, 1];
  const endRecord = (): void => {
    if (record.length > 0 || value !== '') records.push({ line: begin, values: [...record, value] });
    record = [];
    value = '';
    begin = line;
  };
  for (let index = 0; index < text.length && records.length < most; index += 1) {
    const character = text.charAt(index);
    if (character === '\n') line += 1;
    if (quoted) {
      if (character !== '"') value += character;
      else if (text.charAt(index + 1) === '"') value += text.charAt((index += 1));
      else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === delimiter) {
      record.push(value);
      value = '';
    } else if (character === '\n') endRecord();
    else if (character !== '\r') value += character;
  }
  if (records.length < most) endRecord();
  return records;
}

function previewOfLines(text: string): Preview {
  const lines = text.split('\n').slice(0, maxRows);
  return previewOfObjects(lines.flatMap((line, index) => parsed(line).map((value) => ({ line: index + 1, value }))));
}

function previewOfArray(text: string, isBeginning: boolean): Preview {
  const [whole] = parsed(text);
  if (Array.isArray(whole)) {
    return previewOfObjects(whole.slice(0, maxRows).map((value: unknown, index) => ({ line: index + 1, value })));
  }
  return withoutColumns(
    isBeginning
      ? 'Only the beginning of the file was read. Its keys have to be names of fields.'
      : 'The file is not a JSON array of objects.',
  );
}

function previewOfObjects(items: readonly { readonly line: number; readonly value: unknown }[]): Preview {
  const objects = items.flatMap(({ line, value }) =>
    typeof value === 'object' && value !== null ? [{ line, value: value as Record<string, unknown> }] : [],
  );
  const columns = [...new Set(objects.flatMap(({ value }) => Object.keys(value)))];
  if (columns.length === 0) return withoutColumns('The file does not begin with a JSON object of names and values.');
  const rows = objects.map(({ line, value }) => ({ line, values: columns.map((name) => textOf(value[name])) }));
  return { columns, rows };
}

function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
