import type { ActualSchema, ActualTable } from '../inspect/actual-schema';
import type { Renamed, TableRenames } from './find-renames';

/** The schema as it is after the renames of tables and columns; indexes and foreign keys keep their names. Pure. */
export function renameActual(actual: ActualSchema, renames: readonly TableRenames[]): ActualSchema {
  const tableNames = new Map(renames.flatMap(({ renamed }) => (renamed ? [[renamed.from, renamed.to] as const] : [])));
  const columns = new Map(renames.map((one) => [one.table.name, one.columns]));
  const replaced = new Set(renames.flatMap(({ renamed }) => (renamed?.replaces === true ? renamed.to : [])));
  const kinds = new Map(actual.relationKinds);
  const tables = new Map<string, ActualTable>();
  for (const [name, table] of actual.tables) {
    if (!replaced.has(name)) continue;
    for (const index of table.indexes.keys()) kinds.delete(index);
  }
  for (const [name, table] of actual.tables) {
    if (replaced.has(name)) continue;
    const now = tableNames.get(name) ?? name;
    const renamed = renameTable(table, now, columns.get(now) ?? [], tableNames, replaced);
    for (const index of table.indexes.keys()) if (!renamed.indexes.has(index)) kinds.delete(index);
    tables.set(now, renamed);
    if (now !== name) kinds.delete(name);
    kinds.set(now, actual.relationKinds.get(name) ?? 'a table');
  }
  return { ...actual, tables, relationKinds: kinds };
}

function renameTable(
  table: ActualTable,
  name: string,
  columns: readonly Renamed[],
  tableNames: ReadonlyMap<string, string>,
  replaced: ReadonlySet<string>,
): ActualTable {
  const removed = new Set(columns.flatMap(({ to, replaces }) => (replaces ? to : [])));
  const names = new Map(columns.map(({ from, to }) => [from, to]));
  const nameOf = (column: string): string => names.get(column) ?? column;
  const isKept = (parts: readonly (string | null)[]): boolean =>
    !parts.some((column) => column !== null && removed.has(column));
  const keys = [...table.foreignKeys.values()].filter(
    (key) => isKept(key.columns) && !replaced.has(key.referencedTable),
  );
  return {
    ...table,
    name,
    columns: new Map(
      [...table.columns.values()]
        .filter((column) => !removed.has(column.name))
        .map((column) => [nameOf(column.name), { ...column, name: nameOf(column.name) }]),
    ),
    primaryKey: table.primaryKey.map(nameOf),
    indexes: new Map(
      [...table.indexes]
        .filter(([, index]) => isKept(index.columns))
        .map(([key, index]) => [
          key,
          { ...index, columns: index.columns.map((one) => (one === null ? one : nameOf(one))) },
        ]),
    ),
    foreignKeys: new Map(
      keys.map((key) => [
        key.name,
        {
          ...key,
          columns: key.columns.map(nameOf),
          referencedTable: tableNames.get(key.referencedTable) ?? key.referencedTable,
        },
      ]),
    ),
  };
}
