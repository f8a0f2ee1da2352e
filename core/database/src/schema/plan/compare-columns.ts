import type { SchemaDifference } from '@gantry/contracts';
import { quoteIdentifier } from '../../identifiers';
import type { ColumnSpec, TableSpec } from '../../table-spec';
import type { ActualColumn, ActualTable } from '../inspect/actual-schema';
import { changeType } from '../column-types';
import type { Normaliser } from '../inspect/normalise-columns';
import type { ColumnStep, KeptColumn, SchemaFailure } from './schema-plan';
import { addColumn, alterColumn, replaceColumn } from '../statements';

export interface ColumnComparison {
  readonly steps: readonly ColumnStep[];
  readonly differences: readonly SchemaDifference[];
  readonly kept: readonly KeptColumn[];
}

/** Columns that a populated table cannot get with NOT NULL at once, because nothing says what its rows hold there. */
export function isRequiredWithoutValue(column: ColumnSpec): boolean {
  return !column.nullable && column.default === undefined && column.identity !== true;
}

/** Compares the columns of a table that exists. `isPopulated`: whether it has rows. */
export function compareColumns(
  table: TableSpec,
  actual: ActualTable,
  normalise: Normaliser,
  isPopulated: boolean,
): ColumnComparison {
  const missing = table.columns.filter((column) => !actual.columns.has(column.name));
  const changed = table.columns.filter((column) => isComputedOtherwise(column, actual, normalise));
  const present = table.columns.flatMap((column) => {
    const found = actual.columns.get(column.name);
    return found === undefined || changed.includes(column) ? [] : compareColumn(table, column, found, normalise);
  });
  const wanted = new Set(table.columns.map((column) => column.name));
  const extra = [...actual.columns.values()].filter((column) => !wanted.has(column.name));
  const useless = isPopulated ? [] : extra.filter((column) => breaksInserts(column, actual));
  return {
    steps: [
      ...missing.map((column) => additionOf(table, column, isPopulated)),
      ...changed.map((column) => recomputationOf(table, column)),
      ...useless.map((column) => removalOf(table, column)),
    ],
    differences: [
      ...missing
        .filter((column) => isPopulated && isRequiredWithoutValue(column))
        .map((column) => toFill(table, column)),
      ...present,
    ],
    kept: extra
      .filter((column) => !useless.includes(column))
      .map((column) => ({ plugin: table.plugin, table: table.name, column: column.name })),
  };
}

function additionOf(table: TableSpec, column: ColumnSpec, isPopulated: boolean): ColumnStep {
  const addable = isPopulated && isRequiredWithoutValue(column) ? { ...column, nullable: true } : column;
  return {
    plugin: table.plugin,
    table: table.name,
    kind: 'column',
    column: column.name,
    statement: addColumn(table.name, addable),
  };
}

/** Whether PostgreSQL computes the column in another way than the model says, so that its values are to be made again. */
export function isComputedOtherwise(
  wanted: ColumnSpec,
  { columns }: Pick<ActualTable, 'columns'>,
  normalise: Normaliser,
): boolean {
  const found = columns.get(wanted.name);
  if (wanted.generated === undefined || found?.generated !== true) return false;
  const normal = normalise(wanted);
  return normal.status === 'valid' && (normal.type !== found.type || normal.default !== found.default);
}

function recomputationOf(table: TableSpec, column: ColumnSpec): ColumnStep {
  const statement = replaceColumn(table.name, column);
  return { plugin: table.plugin, table: table.name, kind: 'column', column: column.name, statement };
}

/** It has no value that could be lost. */
function removalOf({ plugin, name: table }: TableSpec, { name: column }: ActualColumn): ColumnStep {
  const statement = `ALTER TABLE ${quoteIdentifier(table)} DROP COLUMN ${quoteIdentifier(column)}`;
  return { plugin, table, kind: 'column', column, statement };
}

function toFill(table: TableSpec, column: ColumnSpec): SchemaDifference {
  return difference(
    table,
    `Column ${quoteIdentifier(column.name)} is required and has no default, but the table has rows: it is added without NOT NULL. Fill it before the statement.`,
    alterColumn(table.name, column.name, 'SET NOT NULL'),
  );
}

function compareColumn(
  table: TableSpec,
  wanted: ColumnSpec,
  actual: ActualColumn,
  normalise: Normaliser,
): readonly SchemaDifference[] {
  const normal = normalise(wanted);
  // Reported as a failure of the plugin.
  if (normal.status === 'invalid') return [];
  const found = [
    typeDifference(normal.type, wanted, actual),
    nullDifference(wanted, actual),
    identityDifference(wanted, actual),
    wanted.generated === undefined ? valueDifference(normal.default, actual) : undefined,
  ];
  const name = quoteIdentifier(wanted.name);
  return found
    .filter((one) => one !== undefined)
    .map(([says, change]) =>
      difference(table, `Column ${name} ${says}.`, alterColumn(table.name, wanted.name, change)),
    );
}

/** A difference of a column, and the change that removes it. */
type Found = readonly [says: string, change: string] | undefined;

function typeDifference(type: string, wanted: ColumnSpec, actual: ActualColumn): Found {
  if (type === actual.type) return undefined;
  return [`is ${actual.type} in the database and ${type} in the model`, changeType(wanted.name, actual.type, type)];
}

function nullDifference(wanted: ColumnSpec, actual: ActualColumn): Found {
  if (wanted.nullable === actual.nullable) return undefined;
  return wanted.nullable
    ? ['refuses NULL in the database and may be empty in the model', 'DROP NOT NULL']
    : ['takes NULL in the database and is required in the model', 'SET NOT NULL'];
}

function identityDifference(wanted: ColumnSpec, actual: ActualColumn): Found {
  if (wanted.identity !== true || actual.identity) return undefined;
  return ['is an identity column in the model, but not in the database', 'ADD GENERATED BY DEFAULT AS IDENTITY'];
}

/** A default that only the database has harms no one. */
function valueDifference(wantedDefault: string | undefined, actual: ActualColumn): Found {
  if (actual.generated) return ['is computed by the database, but written by the model', 'DROP EXPRESSION'];
  if (wantedDefault === undefined || wantedDefault === actual.default) return undefined;
  const inDatabase = actual.default === undefined ? 'no default' : `the default ${actual.default}`;
  return [`has ${inDatabase} in the database and ${wantedDefault} in the model`, `SET DEFAULT ${wantedDefault}`];
}

/** Columns of no field that need a value, which no item has. */
export function leftColumns(table: TableSpec, actual: ActualTable): readonly SchemaFailure[] {
  const wanted = new Set(table.columns.map((column) => column.name));
  const left = [...actual.columns.values()].filter(
    (column) => !wanted.has(column.name) && breaksInserts(column, actual),
  );
  return left.map(({ name }) => ({
    plugin: table.plugin,
    code: 'SCHEMA_COLUMN_LEFT',
    reason: `Table ${quoteIdentifier(table.name)}: column ${quoteIdentifier(name)} belongs to no field, refuses NULL and has no default, so that no item can be created.`,
    remedy: `Name the field that has its values now with renamedFrom, or add the statement to a migration of the plugin, which keeps them: ${alterColumn(table.name, name, 'DROP NOT NULL')};`,
  }));
}

/** Of a key, it is reported with the key. */
function breaksInserts(column: ActualColumn, { primaryKey }: ActualTable): boolean {
  const isFilled = column.nullable || column.default !== undefined || column.identity || column.generated;
  return !isFilled && !primaryKey.includes(column.name);
}

function difference(table: TableSpec, description: string, statement: string): SchemaDifference {
  return { plugin: table.plugin, table: table.name, description, statement: `${statement};` };
}
