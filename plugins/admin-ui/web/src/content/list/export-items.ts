import type { Criterion, ItemMetadata } from '@gantry/contracts';
import { listItems, referencesIn, type Item } from '../../api/items';
import { numberText, toJson } from '../../api/json';
import { shortText } from '../label';

export type ExportFormat = 'csv' | 'json';

export interface ExportOrder {
  readonly metadata: ItemMetadata;
  readonly criteria: readonly Criterion[];
  readonly sort: string | undefined;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  onProgress(items: number): void;
}

const pageSize = 1000;

/** Reads every page of a list and writes it as CSV (with a header line) or as a JSON array of items. */
export async function exportItems({
  metadata,
  criteria,
  sort,
  format,
  signal,
  onProgress,
}: ExportOrder): Promise<Blob> {
  const columns = ['id', ...metadata.fields.map(({ name }) => name), 'createdAt', 'updatedAt', 'version'];
  const parts: Blob[] = [];
  let after: string | undefined;
  let count = 0;
  do {
    const page = await listItems(metadata.code, { criteria, sort, after, limit: pageSize }, signal);
    const lines = page.items.map((item) =>
      format === 'csv' ? csvLine(columns.map((name) => cellOf(item, name))) : jsonLine(item),
    );
    const separator = format === 'csv' || count === 0 ? '' : ',\n';
    // Text of a page goes into a Blob at once: the browser may keep those on disk, so that a large export does not fill the memory.
    if (lines.length > 0) parts.push(new Blob([separator, lines.join(format === 'csv' ? '' : ',\n')]));
    count += page.items.length;
    after = page.nextCursor;
    onProgress(count);
  } while (after !== undefined);
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  return format === 'csv'
    ? new Blob(['\uFEFF', csvLine(columns), ...parts], { type: 'text/csv;charset=utf-8' })
    : new Blob(['[\n', ...parts, '\n]\n'], { type: 'application/json' });
}

function cellOf(item: Item, name: string): string {
  const value = name === 'id' ? item.id : item.values[name];
  if (name === 'id' || numberText(value) !== undefined) return name === 'id' ? item.id : shortText(value);
  const references = referencesIn(value);
  if (references.length > 0) return references.map(({ id }) => id).join(' ');
  return withoutFormula(shortText(value));
}

/** A spreadsheet would run text that begins like a formula. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** The item as the platform gives it; the id keeps every digit. */
function jsonLine(item: Item): string {
  return `{"id":${item.id},"values":${toJson(item.values)}}`;
}
