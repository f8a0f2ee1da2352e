import { quoteIdentifier, quoteIdentifiers } from '../../identifiers';
import type { TableSpec } from '../../table-spec';
import type { ActualSchema, ActualTable } from '../inspect/actual-schema';
import { findTwinIndex, findTwinKey } from '../plan/compare-constraints';
import { withExtraFields } from '../plan/extra-columns';
import { planTriggers } from '../plan/plan-schema';
import type { RenameStep, SchemaFailure, SchemaStep } from '../plan/schema-plan';
import { findRenames, type Renamed, type RenamedField, type TableRenames } from './find-renames';
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

export interface RenamePlan {
  readonly plugins: readonly PluginRenames[];
  readonly renamed: readonly TableRenames[];
  readonly failures: readonly SchemaFailure[];
  /** The schema as it is after the renames. */
  readonly actual: ActualSchema;
}

/** Plans what is to be renamed because a declaration says what it was called before. Pure. */
export function planRenames(wanted: readonly TableSpec[], actual: ActualSchema, holdings: Holdings): RenamePlan {
  const { renames, failures } = findRenames(wanted, actual, holdings);
  if (renames.length === 0) return { plugins: [], renamed: [], failures, actual };
  const moved = renameActual(actual, renames);
  const constraints = renames.flatMap(({ table }) => renamedConstraints(table, moved));
  const after = withConstraints(moved, constraints);
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
          ...constraints.filter(({ table }) => table.plugin === plugin).map(constraintStep),
        ],
        triggers: triggerSteps(own, wanted, after),
        tables: own.flatMap(({ renamed }) => renamed ?? []),
        types: wanted.filter((table) => table.plugin === plugin).flatMap((table) => renamedType(table, own) ?? []),
      };
    }),
    renamed: renames,
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

interface RenamedConstraint {
  readonly table: TableSpec;
  readonly kind: 'index' | 'foreign-key';
  readonly from: string;
  readonly to: string;
}

/** Names of indexes and foreign keys have those of table and columns in them. */
function renamedConstraints(table: TableSpec, after: ActualSchema): readonly RenamedConstraint[] {
  const actual = after.tables.get(table.name);
  if (actual === undefined) return [];
  const indexes = table.indexes.flatMap((index): readonly RenamedConstraint[] => {
    if (actual.indexes.has(index.name) || after.relationKinds.has(index.name)) return [];
    const twin = findTwinIndex(table, index, actual);
    return twin === undefined ? [] : [{ table, kind: 'index', from: twin.name, to: index.name }];
  });
  const keys = table.foreignKeys.flatMap((key): readonly RenamedConstraint[] => {
    const twin = actual.foreignKeys.has(key.name) ? undefined : findTwinKey(table, key, actual);
    return twin === undefined ? [] : [{ table, kind: 'foreign-key', from: twin.name, to: key.name }];
  });
  return [...indexes, ...keys];
}

function constraintStep({ table, kind, from, to }: RenamedConstraint): RenameStep {
  const [old, name] = [quoteIdentifier(from), quoteIdentifier(to)];
  const statement =
    kind === 'index'
      ? `ALTER INDEX ${old} RENAME TO ${name}`
      : `ALTER TABLE ${quoteIdentifier(table.name)} RENAME CONSTRAINT ${old} TO ${name}`;
  return step(table.plugin, table.name, statement);
}

function withConstraints(schema: ActualSchema, constraints: readonly RenamedConstraint[]): ActualSchema {
  const tables = new Map(schema.tables);
  const kinds = new Map(schema.relationKinds);
  for (const { table, kind, from, to } of constraints) {
    const actual = tables.get(table.name);
    if (actual === undefined) continue;
    const renamed =
      kind === 'index'
        ? { indexes: renameKey(actual.indexes, from, to) }
        : { foreignKeys: renameKey(actual.foreignKeys, from, to) };
    tables.set(table.name, { ...actual, ...renamed });
    if (kind === 'index') kinds.set(to, 'an index');
  }
  return { ...schema, tables, relationKinds: kinds };
}

function renameKey<T extends { readonly name: string }>(
  values: ReadonlyMap<string, T>,
  from: string,
  to: string,
): ReadonlyMap<string, T> {
  return new Map([...values].map(([name, value]) => (name === from ? [to, { ...value, name: to }] : [name, value])));
}

function triggerSteps(
  own: readonly TableRenames[],
  wanted: readonly TableSpec[],
  after: ActualSchema,
): readonly SchemaStep[] {
  const names = new Set(own.flatMap(({ table }) => [table.name, ...(table.links ? [table.links.itemTable] : [])]));
  const items = new Set(own.flatMap(({ renamed }) => renamed?.to ?? []));
  const tables = wanted.filter(({ isExtra }) => isExtra !== true).map((table) => withExtraFields(table, wanted, after));
  const concerned = tables.filter(
    ({ name, changes, links }) =>
      names.has(name) ||
      changes?.fields.some(({ target }) => target !== undefined && items.has(target.table)) === true ||
      (links !== undefined && (names.has(links.itemTable) || items.has(links.target?.table ?? ''))),
  );
  return concerned.flatMap((table) => {
    const actual = after.tables.get(table.name);
    if (actual === undefined || !(names.has(table.name) || hasColumns(table, actual))) return [];
    return planTriggers(table, actual).filter(({ kind }) => (kind === 'search' ? after.hasSearch : after.hasChanges));
  });
}

/** A trigger of a table that keeps its name would refuse writes until its new columns are added, which may fail. */
function hasColumns({ changes, search }: TableSpec, actual: ActualTable): boolean {
  const columns = [
    ...(changes?.fields.flatMap(({ column, linkTable }) => (linkTable === undefined ? column : [])) ?? []),
    ...(search === undefined ? [] : [...search.label, ...(search.code === undefined ? [] : [search.code])]),
  ];
  return columns.every((column) => actual.columns.has(column));
}

/** Also where only link tables of its fields are renamed. */
function renamedType(table: TableSpec, own: readonly TableRenames[]): RenamedType | undefined {
  const { earlier } = table;
  if (earlier === undefined) return undefined;
  const { renamed, columns = [], fields: kept = [] } = own.find((one) => one.table === table) ?? {};
  const moved = new Set([...columns.map(({ from }) => from), ...own.flatMap((one) => linkTableOf(one, table.name))]);
  const fields = earlier.fields.flatMap((field) => {
    const named = kept.find(({ to }) => to === field.name);
    if (named !== undefined) return named;
    const from = field.earlier.find(({ storedIn }) => storedIn.some((name) => moved.has(name)));
    return from === undefined ? [] : { from: from.name, to: field.name };
  });
  const earlierCode =
    renamed && earlier.earlierCodes.find((_code, index) => table.renamedFrom?.[index] === renamed.from);
  if (earlierCode === undefined && fields.length === 0) return undefined;
  return { plugin: table.plugin, code: earlier.code, earlierCode, table: table.name, fields };
}

function linkTableOf({ table: { links }, renamed }: TableRenames, itemTable: string): readonly string[] {
  return links?.itemTable === itemTable && renamed !== undefined ? [renamed.from] : [];
}

function step(plugin: string, table: string, statement: string): RenameStep {
  return { plugin, table, kind: 'rename', statement };
}
