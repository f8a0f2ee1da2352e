import { quoteIdentifier, quoteIdentifiers } from '../../identifiers';
import type { ColumnSpec, TableSpec } from '../../table-spec';
import { duplicateRows, orphanRows } from './describe-step-failure';
import type { CountRows, RowProbe } from './row-probes';
import type { ForeignKeyStep, IndexStep, SchemaFailure, SchemaStep } from '../plan/schema-plan';

/**
 * Rows that the steps of a plan would fail on, which a start finds out by taking the steps. A table of which something is renamed is left
 * out.
 */
export async function findRowFailures(
  steps: readonly SchemaStep[],
  wanted: readonly TableSpec[],
  count: CountRows,
): Promise<readonly SchemaFailure[]> {
  const tables = new Map(wanted.map((table) => [table.plugin + table.name, table]));
  const left = new Set(steps.filter(({ kind }) => kind === 'table' || kind === 'rename').map(({ table }) => table));
  const checks = steps.flatMap((step) => {
    const table = tables.get(step.plugin + step.table);
    if (table === undefined || left.has(step.table)) return [];
    const probe = probeOf(step, table, steps);
    return probe === undefined ? [] : [{ step: step as IndexStep | ForeignKeyStep, probe }];
  });
  const counts = await count(checks.map(({ probe }) => probe));
  return checks.flatMap(({ step }, index) => {
    if (counts[index] === 0) return [];
    return step.kind === 'index' ? duplicateRows(step) : orphanRows(step);
  });
}

function probeOf(step: SchemaStep, table: TableSpec, steps: readonly SchemaStep[]): RowProbe | undefined {
  if (step.kind === 'index') return duplicatesOf(step, table, steps);
  if (step.kind !== 'foreign-key' || isAdded(step.table, step.column, steps)) return undefined;
  const [name, column] = [quoteIdentifier(step.table), quoteIdentifier(step.column)];
  const isNew = steps.some(({ kind, table: made }) => kind === 'table' && made === step.referencedTable);
  const orphan = isNew
    ? ''
    : ` AND NOT EXISTS (SELECT FROM ${quoteIdentifier(step.referencedTable)} x WHERE x."id" = s.${column})`;
  return { table: step.table, rows: `${name} s WHERE s.${column} IS NOT NULL${orphan}` };
}

/** Columns that are added have the same value in all rows: their default. */
function duplicatesOf(step: IndexStep, table: TableSpec, steps: readonly SchemaStep[]): RowProbe | undefined {
  if (table.indexes.find(({ name }) => name === step.name)?.unique !== true) return undefined;
  const added = step.columns.filter((column) => isAdded(step.table, column, steps));
  const specs = new Map(table.columns.map((column): [string, ColumnSpec] => [column.name, column]));
  if (added.some((column) => specs.get(column)?.default === undefined)) return undefined;
  const stored = step.columns.filter((column) => !added.includes(column));
  const hasAll = stored.map((column) => `${quoteIdentifier(column)} IS NOT NULL`);
  const where = hasAll.length === 0 ? '' : ` WHERE ${hasAll.join(' AND ')}`;
  const groups = stored.length === 0 ? '()' : quoteIdentifiers(stored);
  return {
    table: step.table,
    rows: `${quoteIdentifier(step.table)}${where} GROUP BY ${groups} HAVING count(*) > 1`,
  };
}

function isAdded(table: string, column: string, steps: readonly SchemaStep[]): boolean {
  return steps.some((step) => step.kind === 'column' && step.table === table && step.column === column);
}
