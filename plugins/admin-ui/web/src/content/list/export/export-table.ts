import type { ItemMetadata } from '@gantry/contracts';
import { referencesIn, type Item } from '../../../api/items';
import { numberText } from '../../../api/json';
import { shortText } from '../../../api/label';
import type { FileSink } from './file-sink';

export interface TableOrder {
  readonly metadata: ItemMetadata;
  /** Pages of items, read one after the other as they are written. */
  readonly pages: AsyncIterable<readonly Item[]>;
  /** Columns beside the identifier, with the labels of references; without them every field, with ids. */
  readonly columns?: readonly string[] | undefined;
  readonly sink: FileSink;
  onProgress(items: number): void;
}

/** Writes items as CSV for a spreadsheet. */
export async function exportTable({ metadata, pages, columns, sink, onProgress }: TableOrder): Promise<void> {
  const names = [
    'id',
    ...(columns ?? [...metadata.fields.map(({ name }) => name), 'createdAt', 'updatedAt', 'version']),
  ];
  const ids = columns === undefined;
  let count = 0;
  // The byte order mark marks the text as UTF-8 for spreadsheets.
  await sink.write(`\uFEFF${csvLine(names)}`);
  for await (const items of pages) {
    if (items.length > 0) await sink.write(items.map((item) => csvLine(cellsOf(item, names, ids))).join(''));
    count += items.length;
    onProgress(count);
  }
}

function cellsOf(item: Item, names: readonly string[], ids: boolean): readonly string[] {
  return names.map((name) => {
    if (name === 'id') return item.id;
    const value = item.values[name];
    if (numberText(value) !== undefined) return shortText(value);
    const references = ids ? referencesIn(value) : [];
    return references.length > 0 ? references.map(({ id }) => id).join('|') : withoutFormula(shortText(value));
  });
}

/** A spreadsheet would run text that begins like a formula. */
export function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
