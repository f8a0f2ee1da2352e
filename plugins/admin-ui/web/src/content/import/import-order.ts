import type { PlatformParameters } from '@gantry/client/platform';
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

/** The field that a column is likely for: the one of its name or label, otherwise the most similar one that is left. */
export function guessFields(metadata: ItemMetadata, columns: readonly string[]): Readonly<Record<string, string>> {
  const fieldOf = new Map<string, string>();
  const take = (minSimilarity: number): void => {
    const taken = new Set(fieldOf.values());
    const pairs = columns
      .filter((column) => !fieldOf.has(column) && !auditNames.has(column))
      .flatMap((column) =>
        importedFields(metadata).map(({ name, displayName }) => ({
          column,
          name,
          similarity: Math.max(similarityOf(column, name), similarityOf(column, displayName)),
        })),
      )
      .filter(({ similarity }) => similarity >= minSimilarity)
      .toSorted((left, right) => right.similarity - left.similarity);
    for (const { column, name } of pairs) {
      if (fieldOf.has(column) || taken.has(name)) continue;
      fieldOf.set(column, name);
      taken.add(name);
    }
  };
  // A column never loses the field that has its name to one that is only similar.
  take(1);
  take(likely);
  return Object.fromEntries(columns.map((column) => [column, fieldOf.get(column) ?? '']));
}

/** Computed values are in files for people, and nothing that is written. */
export function importedFields({ fields }: ItemMetadata): readonly FormField[] {
  return fields.filter(({ computed }) => computed !== true);
}

/** Less similar names are of other things more often than not. */
const likely = 0.65;

/** From 0 to 1: the share of pairs of letters that two names have in common (Dice), or that one name ends with the other. */
function similarityOf(column: string, name: string): number {
  const [left, right] = [plain(column), plain(name)];
  if (left === right) return 1;
  if (right.length >= 4 && left.endsWith(right)) return 0.9;
  const pairs = pairsOf(left);
  const rest = pairsOf(right);
  const all = pairs.length + rest.length;
  let common = 0;
  for (const pair of pairs) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    rest.splice(at, 1);
    common += 1;
  }
  return all === 0 ? 0 : (2 * common) / all;
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Required fields that no column is for. */
export function lackingFields(metadata: ItemMetadata, order: ImportOrder): readonly FormField[] {
  if (order.match !== '' || order.preview.columns.length === 0) return [];
  const given = new Set(Object.values(order.fieldOf));
  return metadata.fields.filter(
    ({ name, required, default: preset, derivedFrom }) =>
      required && preset === undefined && derivedFrom === undefined && !given.has(name),
  );
}

/** Reason for which the import cannot begin, as a sentence. */
export function orderProblem(metadata: ItemMetadata, order: ImportOrder): string | undefined {
  const targets = Object.values(order.fieldOf).filter((name) => name !== '');
  const repeated = targets.find((name, index) => targets.indexOf(name) !== index);
  if (repeated !== undefined) {
    const label = metadata.fields.find(({ name }) => name === repeated)?.displayName ?? repeated;
    return `Two columns are mapped to ${label}. Skip one of them.`;
  }
  const open = lackingFields(metadata, order).filter(({ name }) => (order.fixed[name] ?? '') === '');
  if (open.length === 0) return undefined;
  return `${open.map(({ displayName }) => displayName).join(', ')} must have a value. Choose a column, or a value for all items.`;
}

/** A column of ids makes an export of this very platform likely. */
export function hasIds(columns: readonly string[]): boolean {
  return columns.includes('id') && columns.some((name) => auditNames.has(name));
}

/** The query of the request (docs/import-and-export.md). */
export function queryOf(order: ImportOrder, dryRun: boolean): ImportQuery {
  const columns = Object.entries(order.fieldOf).filter(([column, field]) => column !== field);
  const map = columns.filter(([column]) => order.match !== 'id' || column !== 'id');
  const fixed = Object.entries(order.fixed).filter(([, value]) => value !== '');
  const { ids, safeCsv, ignoreUnknown, delimiter, format, match } = order;
  return {
    ...onlySet({ dryRun, ids, safeCsv, ignoreUnknown }),
    ...(format === 'csv' && delimiter !== ',' ? { delimiter } : {}),
    ...(map.length === 0 ? {} : { map: JSON.stringify(Object.fromEntries(map)) }),
    ...(fixed.length === 0 ? {} : { set: JSON.stringify(Object.fromEntries(fixed)) }),
    ...(match === '' ? {} : { match }),
  };
}

type ImportQuery = NonNullable<PlatformParameters<'POST', '/api/cms/imports/{type}'>['query']>;

function onlySet<Name extends string>(flags: Readonly<Record<Name, boolean>>): Partial<Record<Name, true>> {
  return Object.fromEntries(Object.entries(flags).filter(([, isSet]) => isSet)) as Partial<Record<Name, true>>;
}
