import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { FileFormat, Preview } from './preview';

/** How the file is to be read. */
export interface ImportOrder {
  readonly file: File;
  readonly format: FileFormat;
  readonly delimiter: string;
  readonly preview: Preview;
  /** Field by column; an empty text leaves the column out. */
  readonly fieldOf: Readonly<Record<string, string>>;
  /** The same value for every item, by field. */
  readonly fixed: Readonly<Record<string, string>>;
  /** The field by which items that exist are found; empty when every item is new. */
  readonly match: string;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly ignoreUnknown: boolean;
}

/** Of columns that exports write and an import has no use for. */
const auditNames: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'version']);

/** The field that a column is likely for: the one of its name, or of its label. */
export function guessFields(metadata: ItemMetadata, columns: readonly string[]): Readonly<Record<string, string>> {
  const taken = new Set<string>();
  const entries = columns.map((column) => {
    const field = metadata.fields.find((candidate) => !taken.has(candidate.name) && isNamed(candidate, column));
    if (field !== undefined) taken.add(field.name);
    return [column, field?.name ?? ''] as const;
  });
  return Object.fromEntries(entries);
}

function isNamed({ name, displayName }: FormField, column: string): boolean {
  const wanted = plain(column);
  return wanted === plain(name) || wanted === plain(displayName);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Required fields that no column is for. */
export function lackingFields(metadata: ItemMetadata, order: ImportOrder): readonly FormField[] {
  if (order.match !== '' || order.preview.columns.length === 0) return [];
  const given = new Set(Object.values(order.fieldOf));
  return metadata.fields.filter((field) => field.required && field.default === undefined && !given.has(field.name));
}

/** What keeps the import from being begun, as a sentence. */
export function orderProblem(metadata: ItemMetadata, order: ImportOrder): string | undefined {
  const targets = Object.values(order.fieldOf).filter((name) => name !== '');
  const repeated = targets.find((name, index) => targets.indexOf(name) !== index);
  if (repeated !== undefined) {
    const label = metadata.fields.find(({ name }) => name === repeated)?.displayName ?? repeated;
    return `Two columns are for ${label}. Leave one of them out.`;
  }
  const open = lackingFields(metadata, order).filter(({ name }) => (order.fixed[name] ?? '') === '');
  if (open.length === 0) return undefined;
  return `${open.map(({ displayName }) => displayName).join(', ')} must have a value: choose a column for it, or a value for all items.`;
}

/** A column of ids makes an export of this very platform likely. */
export function hasIds(columns: readonly string[]): boolean {
  return columns.includes('id') && columns.some((name) => auditNames.has(name));
}

/** The query of the request (docs/import-and-export.md). */
export function queryOf(order: ImportOrder, dryRun: boolean): string {
  const columns = Object.entries(order.fieldOf).filter(([column, field]) => column !== field);
  const map = Object.fromEntries(columns.filter(([column]) => order.match !== 'id' || column !== 'id'));
  const fixed = Object.fromEntries(Object.entries(order.fixed).filter(([, value]) => value !== ''));
  const parameters = new URLSearchParams();
  if (dryRun) parameters.set('dryRun', 'true');
  if (order.format === 'csv' && order.delimiter !== ',') parameters.set('delimiter', order.delimiter);
  if (Object.keys(map).length > 0) parameters.set('map', JSON.stringify(map));
  if (Object.keys(fixed).length > 0) parameters.set('set', JSON.stringify(fixed));
  if (order.match !== '') parameters.set('match', order.match);
  for (const flag of ['ids', 'safeCsv', 'ignoreUnknown'] as const) if (order[flag]) parameters.set(flag, 'true');
  return parameters.toString();
}
