import type { ItemMetadata } from '@gantry/contracts';
import { referencesIn, type Item } from '../../api/items';
import { numberText, toJson } from '../../api/json';
import { shortText } from '../label';
import type { FileSink } from './file-sink';

export type ExportFormat = 'csv' | 'json' | 'jsonl';

export interface ExportOrder {
  readonly metadata: ItemMetadata;
  /** Pages of items, read one after the other as they are written. */
  readonly pages: AsyncIterable<readonly Item[]>;
  readonly format: ExportFormat;
  /** Columns of a CSV file beside the identifier; every field unless given. */
  readonly columns?: readonly string[] | undefined;
  readonly sink: FileSink;
  onProgress(items: number): void;
}

/** Writes items as CSV (with a header line), as one JSON array, or as a JSON object on each line. */
export async function exportItems({ metadata, pages, format, columns, sink, onProgress }: ExportOrder): Promise<void> {
  const { head, page, tail } = format === 'csv' ? csvFormat(columnsOf(metadata, columns)) : jsonFormats[format];
  let count = 0;
  await sink.write(head);
  for await (const items of pages) {
    if (items.length > 0) await sink.write(page(items, count === 0));
    count += items.length;
    onProgress(count);
  }
  await sink.write(tail);
}

interface TextFormat {
  readonly head: string;
  page(items: readonly Item[], isFirst: boolean): string;
  readonly tail: string;
}

const jsonFormats: Readonly<Record<'json' | 'jsonl', TextFormat>> = {
  json: {
    head: '[',
    page: (items, isFirst) => `${isFirst ? '\n' : ',\n'}${items.map(jsonText).join(',\n')}`,
    tail: '\n]\n',
  },
  jsonl: { head: '', page: (items) => items.map((item) => `${jsonText(item)}\n`).join(''), tail: '' },
};

function csvFormat(columns: readonly string[]): TextFormat {
  return {
    // The mark at the beginning tells spreadsheets that the text is UTF-8.
    head: `\uFEFF${csvLine(columns)}`,
    page: (items) => items.map((item) => csvLine(columns.map((name) => cellOf(item, name)))).join(''),
    tail: '',
  };
}

function columnsOf(metadata: ItemMetadata, columns: readonly string[] | undefined): readonly string[] {
  return ['id', ...(columns ?? [...metadata.fields.map(({ name }) => name), 'createdAt', 'updatedAt', 'version'])];
}

function cellOf(item: Item, name: string): string {
  if (name === 'id') return item.id;
  const value = item.values[name];
  if (numberText(value) !== undefined) return shortText(value);
  const references = referencesIn(value);
  if (references.length > 0) return references.map(({ id }) => id).join('|');
  return withoutFormula(shortText(value));
}

/** A spreadsheet would run text that begins like a formula. */
function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** The item as the platform gives it, on one line; the id keeps every digit. */
function jsonText(item: Item): string {
  return `{"id":${item.id},"values":${toJson(item.values)}}`;
}
