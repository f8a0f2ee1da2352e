import { literal } from '../../identifiers';
import { changeTable } from '../../changes/change-tables';
import type { TableSpec } from '../../table-spec';
import type { ActualSchema } from '../inspect/actual-schema';
import { rowsOfTable, rowsWithValue, type CountRows, type RowProbe } from '../failures/row-probes';

/** The tables and columns that have values, and the tables that have a history: renames depend on both. */
export interface Holdings {
  hasRows(table: string): boolean;
  hasValues(table: string, column: string): boolean;
  hasHistory(table: string): boolean;
}

/** Whether any of the tables names something of earlier versions. */
export function hasEarlierNames(wanted: readonly TableSpec[]): boolean {
  return wanted.some(
    (table) =>
      table.earlier !== undefined ||
      namesOf(table).length > 1 ||
      table.columns.some((column) => namesOf(column).length > 1),
  );
}

/** The name of today first. */
export function namesOf({ name, renamedFrom = [] }: Pick<TableSpec, 'name' | 'renamedFrom'>): readonly string[] {
  return [...new Set([name, ...renamedFrom])];
}

/** Reads as little as possible: where one name exists only, nothing depends on the values. */
export async function readHoldings(
  count: CountRows,
  wanted: readonly TableSpec[],
  actual: ActualSchema,
): Promise<Holdings> {
  const probes = new Map<string, RowProbe>();
  for (const table of wanted) {
    const tables = namesOf(table).filter((name) => actual.tables.has(name));
    const hasEarlier = tables.some((name) => name !== table.name);
    if (tables.length > 1) for (const name of tables) probes.set(keyOf(name), rowsOfTable(name));
    if (hasEarlier && actual.hasChanges) {
      const rows = `public.${changeTable} WHERE item_table = ${literal(table.name)}`;
      probes.set(`history ${table.name}`, { table: changeTable, rows });
    }
    for (const [name, column] of ambiguousColumns(table, tables, actual)) {
      probes.set(keyOf(name, column), rowsWithValue(name, column));
    }
  }
  const counts = await count([...probes.values()]);
  const found = new Set([...probes.keys()].filter((_key, index) => counts[index] !== 0));
  return {
    hasRows: (table) => found.has(keyOf(table)),
    hasValues: (table, column) => found.has(keyOf(table, column)),
    hasHistory: (table) => found.has(`history ${table}`),
  };
}

function ambiguousColumns(
  table: TableSpec,
  tables: readonly string[],
  actual: ActualSchema,
): readonly (readonly [table: string, column: string])[] {
  return tables.flatMap((name) =>
    table.columns.flatMap((column) => {
      const existing = namesOf(column).filter((one) => actual.tables.get(name)?.columns.has(one) === true);
      return existing.length < 2 ? [] : existing.map((one) => [name, one] as const);
    }),
  );
}

function keyOf(table: string, column?: string): string {
  return JSON.stringify([table, column]);
}
