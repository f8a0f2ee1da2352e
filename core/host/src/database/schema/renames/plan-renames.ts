import { quoteIdentifier, quoteIdentifiers } from '../../identifiers';
import type { TableSpec } from '../../table-spec';
import type { ActualSchema, ActualTable } from '../actual-schema';
import { findTwinIndex, findTwinKey } from '../compare-constraints';
import { planTriggers } from '../plan-schema';
import type { RenameStep, SchemaFailure, SchemaStep } from '../schema-plan';
import { findRenames, type Renamed, type TableRenames } from './find-renames';
import { renameActual } from './rename-actual';
import type { Holdings } from './rename-probes';

/** The renames of one plugin, which are one transaction. */
export interface PluginRenames {
  readonly plugin: string;
  readonly steps: readonly RenameStep[];
  /** Triggers that name what is renamed; they are replaced together with it, so that no change is missed. */
  readonly triggers: readonly SchemaStep[];
  readonly tables: readonly Renamed[];
  readonly types: readonly RenamedType[];
}

/** An item type that is renamed, or of which fields are. */
export interface RenamedType {
  readonly plugin: string;
  readonly code: string;
  /** Its earlier code; undefined where only fields are renamed. */
  readonly earlierCode: string | undefined;
  readonly table: string;
  readonly fields: readonly RenamedField[];
}

export interface RenamedField {
  readonly from: string;
  readonly to: string;
}

export interface RenamePlan {
  readonly plugins: readonly PluginRenames[];
  readonly failures: readonly SchemaFailure[];
  /** The schema as it is after the renames. */
  readonly actual: ActualSchema;
}

/** Plans what is to be renamed because a declaration says what it was called before. Pure. */
export function planRenames(wanted: readonly TableSpec[], actual: ActualSchema, holdings: Holdings): RenamePlan {
  const { renames, failures } = findRenames(wanted, actual, holdings);
  if (renames.length === 0) return { plugins: [], failures, actual };
  const after = renameActual(actual, renames);
  const constraints = renames.flatMap((one) => constraintSteps(one.table, after));
  const ids = [...new Set(renames.map(({ table }) => table.plugin))];
  return {
    plugins: ids.map((plugin) => {
      const own = renames.filter(({ table }) => table.plugin === plugin);
      return {
        plugin,
        steps: [
          ...removalSteps(plugin, own, wanted, actual),
          ...own.flatMap(tableSteps),
          ...own.flatMap(columnSteps),
          ...constraints.filter((step) => step.plugin === plugin),
        ],
        triggers: triggerSteps(own, wanted, after),
        tables: own.flatMap(({ renamed }) => renamed ?? []),
        types: own.flatMap((one) => renamedType(one, own) ?? []),
      };
    }),
    failures,
    actual: after,
  };
}

/** Empty tables that have the names of today, with the foreign keys on them, which are made again. */
function removalSteps(
  plugin: string,
  own: readonly TableRenames[],
  wanted: readonly TableSpec[],
  actual: ActualSchema,
): readonly RenameStep[] {
  const removed = own.flatMap(({ renamed }) => (renamed?.replaces === true ? renamed.to : []));
  if (removed.length === 0) return [];
  const keys = wanted
    .filter(({ name }) => !removed.includes(name))
    .flatMap(({ name }) =>
      [...(actual.tables.get(name)?.foreignKeys.values() ?? [])]
        .filter(({ referencedTable }) => removed.includes(referencedTable))
        .map((key) =>
          step(plugin, name, `ALTER TABLE ${quoteIdentifier(name)} DROP CONSTRAINT ${quoteIdentifier(key.name)}`),
        ),
    );
  return [...keys, step(plugin, removed[0] ?? '', `DROP TABLE ${quoteIdentifiers(removed)}`)];
}

function tableSteps({ table, renamed }: TableRenames): readonly RenameStep[] {
  if (renamed === undefined) return [];
  const [from, to] = [quoteIdentifier(renamed.from), quoteIdentifier(renamed.to)];
  return [step(table.plugin, table.name, `ALTER TABLE ${from} RENAME TO ${to}`)];
}

function columnSteps({ table, columns }: TableRenames): readonly RenameStep[] {
  const name = quoteIdentifier(table.name);
  return columns.flatMap(({ from, to, replaces }) => [
    ...(replaces ? [step(table.plugin, table.name, `ALTER TABLE ${name} DROP COLUMN ${quoteIdentifier(to)}`)] : []),
    step(
      table.plugin,
      table.name,
      `ALTER TABLE ${name} RENAME COLUMN ${quoteIdentifier(from)} TO ${quoteIdentifier(to)}`,
    ),
  ]);
}

/** Names of indexes and foreign keys have those of table and columns in them. */
function constraintSteps(table: TableSpec, after: ActualSchema): readonly RenameStep[] {
  const actual = after.tables.get(table.name);
  if (actual === undefined) return [];
  const steps: RenameStep[] = [];
  for (const index of table.indexes) {
    const twin = actual.indexes.has(index.name) ? undefined : findTwinIndex(table, index, actual);
    if (twin === undefined || after.relationKinds.has(index.name)) continue;
    const statement = `ALTER INDEX ${quoteIdentifier(twin.name)} RENAME TO ${quoteIdentifier(index.name)}`;
    steps.push(step(table.plugin, table.name, statement));
  }
  for (const key of table.foreignKeys) {
    const twin = actual.foreignKeys.has(key.name) ? undefined : findTwinKey(table, key, actual);
    if (twin === undefined) continue;
    const statement = `ALTER TABLE ${quoteIdentifier(table.name)} RENAME CONSTRAINT ${quoteIdentifier(twin.name)} TO ${quoteIdentifier(key.name)}`;
    steps.push(step(table.plugin, table.name, statement));
  }
  return steps;
}

function triggerSteps(
  own: readonly TableRenames[],
  wanted: readonly TableSpec[],
  after: ActualSchema,
): readonly SchemaStep[] {
  const names = new Set(own.map(({ table }) => table.name));
  const items = new Set(own.flatMap(({ renamed }) => renamed?.to ?? []));
  const concerned = wanted.filter(
    ({ name, changes, links }) =>
      names.has(name) ||
      changes?.fields.some(({ target }) => target !== undefined && items.has(target.table)) === true ||
      (links !== undefined && (names.has(links.itemTable) || items.has(links.target?.table ?? ''))),
  );
  return concerned.flatMap((table) => {
    const actual = after.tables.get(table.name);
    if (actual === undefined || !hasColumns(table, actual)) return [];
    return planTriggers(table, actual).filter(({ kind }) => (kind === 'search' ? after.hasSearch : after.hasChanges));
  });
}

/** A trigger cannot name columns that are added later. */
function hasColumns({ changes, search }: TableSpec, actual: ActualTable): boolean {
  const columns = [
    ...(changes?.fields.flatMap(({ column, linkTable }) => (linkTable === undefined ? column : [])) ?? []),
    ...(search === undefined ? [] : [...search.label, ...(search.code === undefined ? [] : [search.code])]),
  ];
  return columns.every((column) => actual.columns.has(column));
}

function renamedType({ table, renamed, columns }: TableRenames, own: readonly TableRenames[]): RenamedType | undefined {
  const { earlier } = table;
  if (earlier === undefined) return undefined;
  const moved = new Set([...columns.map(({ from }) => from), ...own.flatMap((one) => linkTableOf(one, table.name))]);
  return {
    plugin: table.plugin,
    code: earlier.code,
    earlierCode:
      renamed && earlier.earlierCodes.find((_code, index) => table.renamedFrom?.[index] === renamed.from),
    table: table.name,
    fields: earlier.fields.flatMap((field) => {
      const from = field.earlier.find(({ storedIn }) => storedIn.some((name) => moved.has(name)));
      return from === undefined ? [] : { from: from.name, to: field.name };
    }),
  };
}

function linkTableOf({ table: { links }, renamed }: TableRenames, itemTable: string): readonly string[] {
  return links?.itemTable === itemTable && renamed !== undefined ? [renamed.from] : [];
}

function step(plugin: string, table: string, statement: string): RenameStep {
  return { plugin, table, kind: 'rename', statement };
}
