import { labelSeparator, type HostDatabase, type TextRow } from '@gantry/core-database';
import { type CompiledItemType, type ItemTypeDescriptor, hidesItems } from '../compile/descriptor';
import type { Scope } from '../policy/scope';
import { firstImageStatement } from '../sql/image-statement';
import type { SearchText } from '../query/search-text';
import {
  countMatches,
  firstOfEachTable,
  found,
  maxSorted,
  searchInOrder,
  searchMatches,
  searchVisible,
} from '../sql/search-statements';
import { createStatementTexts } from './item-repository';

/** Items of all types in use, by their id or by the texts of their label fields: a JSON array of `SearchGroup`, as text. */
export type SearchItems = (scope: Scope, search: SearchText) => Promise<string>;

/** An item as the statements give it. */
interface Entry {
  readonly id: string;
  readonly code: string | null;
  readonly label: string | null;
  readonly image?: string;
}

interface Group {
  readonly type: ItemTypeDescriptor;
  readonly entries: readonly Entry[];
}

/**
 * The search across types. What a scope does not see is left out before anything is counted: other types are not part of the
 * statement, and a type of which a label field is hidden is searched by its visible fields, in its own table.
 */
export function createSearchItems(database: Pick<HostDatabase, 'queryPrepared'>): SearchItems {
  const textOf = createStatementTexts('gantry_search');
  const run: RunSearch = ({ sql, values, planForValues }) =>
    database.queryPrepared({ ...textOf(sql, () => sql), values, planForValues });
  return async (scope, search) => {
    const types = scope.policy.types.served();
    const whole = types.filter(hasWholeLabel).map(({ descriptor }) => descriptor);
    const groups = [...(await searchWhole(run, whole, search))];
    // One after the other: with many types, one request must not take all connections.
    for (const { descriptor: type } of types.filter((candidate) => !hasWholeLabel(candidate))) {
      groups.push({ type, entries: (await run(searchVisible(type, search))).map(entryOf) });
    }
    const sorted = groups
      .filter(({ entries }) => entries.length > 0)
      .toSorted((left, right) => compareGroups(left, right, search));
    const shown: string[] = [];
    for (const group of sorted) shown.push(groupJson(await withImages(run, group), search));
    return `[${shown.join(',')}]`;
  };
}

type RunSearch = (statement: ReturnType<typeof searchMatches>) => Promise<readonly TextRow[]>;

async function withImages(run: RunSearch, group: Group): Promise<Group> {
  const sql = firstImageStatement(group.type);
  if (sql === undefined) return group;
  const ids = `{${group.entries.map(({ id }) => id).join(',')}}`;
  const rows = await run({ sql, values: [ids], planForValues: false });
  const images = new Map(rows.map(([id, image]) => [id, image ?? '']));
  return {
    ...group,
    entries: group.entries.map((entry) => {
      const image = images.get(entry.id);
      return image === undefined ? entry : { ...entry, image };
    }),
  };
}

/** Whether all items and all label fields of the type are visible, which its entries are made from. */
function hasWholeLabel({ descriptor, stored = descriptor }: CompiledItemType): boolean {
  return !hidesItems(descriptor) && stored.labelFields.every((name) => descriptor.labelFields.includes(name));
}

async function searchWhole(
  run: RunSearch,
  types: readonly ItemTypeDescriptor[],
  search: SearchText,
): Promise<readonly Group[]> {
  if (types.length === 0) return [];
  const tables = types.map(({ table }) => table);
  const byTable = groupByTable(await searchTables(run, tables, search));
  return types.map((type) => ({ type, entries: byTable.get(type.table) ?? [] }));
}

async function searchTables(
  run: RunSearch,
  tables: readonly string[],
  search: SearchText,
): Promise<readonly TextRow[]> {
  if (search.isShort) return run(searchInOrder(tables, search));
  const rows = await run(searchMatches(tables, search));
  const matches = firstOfEachTable(rows);
  if (countMatches(rows) <= maxSorted) return matches;
  // Matches of one type may have left no place for those of others.
  const known = groupByTable(matches);
  const lookedThrough = tables.filter((table) => (known.get(table)?.length ?? 0) < found);
  return [...(await run(searchInOrder(tables, search, lookedThrough))), ...matches];
}

/** The first entries of each table, each once. */
function groupByTable(rows: readonly TextRow[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Map<string, Entry>>();
  for (const row of rows) {
    const table = String(row[0]);
    const entries = groups.get(table) ?? new Map<string, Entry>();
    groups.set(table, entries);
    const entry = entryOf(row);
    if (entries.size < found && !entries.has(entry.id)) entries.set(entry.id, entry);
  }
  return new Map([...groups].map(([table, entries]) => [table, [...entries.values()]]));
}

function entryOf([, id, code = null, label = null]: TextRow): Entry {
  return { id: String(id), code, label };
}

/** Types with an item of exactly that id, code or label come first, then the others; each by name. */
function compareGroups(left: Group, right: Group, search: SearchText): number {
  return (
    Number(hasExact(right, search)) - Number(hasExact(left, search)) ||
    Number(left.type.readOnly) - Number(right.type.readOnly) ||
    compareText(left.type.displayNamePlural, right.type.displayNamePlural) ||
    compareText(left.type.code, right.type.code)
  );
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function hasExact({ entries }: Group, { text, id }: SearchText): boolean {
  const wanted = text.toLowerCase();
  return entries.some((entry) => entry.id === id || textsOf(entry).some((one) => one.toLowerCase() === wanted));
}

function textsOf({ code, label }: Entry): readonly string[] {
  return [...(code === null ? [] : [code]), ...(label?.split(labelSeparator) ?? [])];
}

function groupJson({ type, entries }: Group, search: SearchText): string {
  const { code, displayName, displayNamePlural } = type;
  const items = entries.slice(0, found - 1).map((entry) => hitJson(entry, search));
  const head = JSON.stringify({ type: code, displayName, displayNamePlural, isMore: entries.length >= found });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

/** The id as PostgreSQL writes it, which keeps all digits. The label is the first one, with the one that was found if that is another. */
function hitJson({ id, code, label, image }: Entry, { text }: SearchText): string {
  const [first, ...others] = label?.split(labelSeparator) ?? [];
  const wanted = text.toLowerCase();
  const isFound = (candidate: string): boolean => candidate.toLowerCase().includes(wanted);
  const other = [first ?? '', code ?? ''].some(isFound) ? undefined : others.find(isFound);
  const shown = {
    label: other === undefined ? (first ?? code ?? id) : `${first} · ${other}`,
    ...(code === null || first === undefined ? {} : { code }),
    ...(image === undefined ? {} : { image }),
  };
  return `{"id":${id},${JSON.stringify(shown).slice(1)}`;
}
