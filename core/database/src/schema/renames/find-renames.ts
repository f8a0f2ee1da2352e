import { changeTriggers } from '../../changes/change-tables';
import { literal, quoteIdentifier } from '../../identifiers';
import type { TableSpec } from '../../table-spec';
import type { ActualSchema, ActualTable } from '../inspect/actual-schema';
import type { SchemaFailure } from '../plan/schema-plan';
import { namesOf, type Holdings } from './rename-probes';

/** A table or column that gets its name of today. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
  /** Something empty has the name of today, and makes room. */
  readonly replaces: boolean;
}

/** The renames of one table. */
export interface TableRenames {
  readonly table: TableSpec;
  /** Undefined where only columns are renamed. */
  readonly renamed: Renamed | undefined;
  readonly columns: readonly Renamed[];
  /** Fields that get another name and keep their column or table of links. */
  readonly fields: readonly RenamedField[];
}

export interface RenamedField {
  readonly from: string;
  readonly to: string;
}

export interface FoundRenames {
  readonly renames: readonly TableRenames[];
  readonly failures: readonly SchemaFailure[];
}

/** Finds what exists under an earlier name. Pure. Of a plugin with a conflict, nothing is renamed. */
export function findRenames(wanted: readonly TableSpec[], actual: ActualSchema, holdings: Holdings): FoundRenames {
  const taken = new Set(wanted.map(({ name }) => name));
  const failures: SchemaFailure[] = [];
  const renames: TableRenames[] = [];
  for (const table of wanted) {
    const found = tableRename(table, actual, holdings, taken);
    const renamed = found === undefined || 'reason' in found ? undefined : found;
    const stored = actual.tables.get(renamed?.from ?? table.name);
    const columns = stored === undefined ? [] : columnRenames(table, stored, holdings);
    const conflicts = [found, ...columns].filter((one) => one !== undefined && 'reason' in one);
    failures.push(...conflicts.map((conflict) => failureOf(table, conflict)));
    const sound = columns.filter((column): column is Renamed => !('reason' in column));
    const fields = stored === undefined ? [] : fieldRenames(table, stored);
    if (renamed !== undefined || sound.length + fields.length > 0) {
      renames.push({ table, renamed, columns: sound, fields });
    }
  }
  const failed = new Set(failures.map(({ plugin }) => plugin));
  return { renames: renames.filter(({ table }) => !failed.has(table.plugin)), failures };
}

interface Conflict {
  readonly reason: string;
  readonly remedy: string;
}

type Found = Renamed | Conflict | undefined;

function tableRename(table: TableSpec, actual: ActualSchema, holdings: Holdings, taken: ReadonlySet<string>): Found {
  const candidates = namesOf(table).filter((name) => {
    const found = actual.tables.get(name);
    return found !== undefined && !taken.has(name) && hasShapeOf(table, found);
  });
  const exists = actual.tables.has(table.name);
  const choice = choose(table.name, candidates, exists, (name) =>
    name === table.name ? holdings.hasRows(name) || holdings.hasHistory(name) : holdings.hasRows(name),
  );
  if (choice === undefined) return undefined;
  if ('from' in choice && !exists && holdings.hasHistory(table.name)) {
    return {
      reason: `Table ${quoteIdentifier(choice.from)} cannot become ${quoteIdentifier(table.name)}: the change feed has rows of earlier items under that name.`,
      remedy: 'Give the item type another class name.',
    };
  }
  if ('from' in choice) return choice;
  const names = choice.both.map(quoteIdentifier).join(' and ');
  return {
    reason: `The tables ${names} both have items or a history, and the model has one table for them.`,
    remedy: `Move the items in a migration of the plugin, or remove the other name from renamedFrom of @ItemType: that table then stays as it is.`,
  };
}

/** A plugin can have a name that looks like a table of another plugin. */
function hasShapeOf(table: TableSpec, found: ActualTable): boolean {
  const needed = [...table.primaryKey, ...(table.search === undefined ? [] : ['version'])];
  return needed.every((column) => found.columns.has(column));
}

function columnRenames(table: TableSpec, stored: ActualTable, holdings: Holdings): readonly (Renamed | Conflict)[] {
  const taken = new Set(table.columns.map(({ name }) => name));
  return table.columns.flatMap((column) => {
    const candidates = namesOf(column).filter(
      (name) => name !== column.name && stored.columns.has(name) && !taken.has(name),
    );
    const choice = choose(column.name, candidates, stored.columns.has(column.name), (name) =>
      holdings.hasValues(stored.name, name),
    );
    if (choice === undefined || 'from' in choice) return choice ?? [];
    const [one = '', other = ''] = choice.both.map(quoteIdentifier);
    const name = quoteIdentifier(table.name);
    return {
      reason: `Table ${quoteIdentifier(stored.name)}: the columns ${one} and ${other} both have values, and the model has one column for them.`,
      remedy: `Decide in a migration of the plugin which values count, for example UPDATE ${name} SET ${one} = coalesce(${one}, ${other}), ${other} = NULL; or remove the other name from renamedFrom of the field: that column then stays as it is.`,
    };
  });
}

/** Fields whose history is still written under an earlier name, by the trigger of an earlier version. */
function fieldRenames(table: TableSpec, stored: ActualTable): readonly RenamedField[] {
  const { changes, earlier } = table;
  if (changes === undefined || earlier === undefined) return [];
  const wanted = changeTriggers(table.name, changes);
  const sources = [...wanted.keys()].flatMap((name) => stored.triggers.get(name) ?? []);
  const isWritten = (name: string): boolean => sources.some((source) => source.includes(literal(name)));
  const isWanted = (name: string): boolean => [...wanted.values()].some((source) => source.includes(literal(name)));
  const kept = new Set([
    ...table.columns.map(({ name }) => name),
    ...changes.fields.flatMap((one) => one.linkTable ?? []),
  ]);
  return earlier.fields.flatMap(({ name: to, earlier: names }) => {
    const isSame = names.filter(({ storedIn }) => storedIn.some((place) => kept.has(place)));
    const from = isSame.find(({ name }) => isWritten(name) && !isWanted(name))?.name;
    return from === undefined ? [] : [{ from, to }];
  });
}

/** Of several names that exist, one at most may hold something. */
function choose(
  name: string,
  candidates: readonly string[],
  exists: boolean,
  holds: (name: string) => boolean,
): Renamed | { readonly both: readonly [string, string] } | undefined {
  const [first] = candidates;
  if (first === undefined) return undefined;
  if (!exists && candidates.length === 1) return { from: first, to: name, replaces: false };
  const full = [...(exists && holds(name) ? [name] : []), ...candidates.filter(holds)];
  const [one, other] = full;
  if (one !== undefined && other !== undefined) return { both: [one, other] };
  if (exists) return one === name ? undefined : { from: one ?? first, to: name, replaces: true };
  return { from: one ?? first, to: name, replaces: false };
}

function failureOf({ plugin }: TableSpec, { reason, remedy }: Conflict): SchemaFailure {
  return { plugin, code: 'SCHEMA_RENAME_CONFLICT', reason, remedy };
}
