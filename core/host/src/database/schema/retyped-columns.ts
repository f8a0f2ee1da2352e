import { quoteIdentifier } from '../identifiers';
import type { ColumnSpec, TableSpec } from '../table-spec';
import type { ActualTable } from './actual-schema';
import type { Normaliser } from './normalise-columns';
import type { SchemaFailure } from './schema-plan';
import { alterColumn } from './statements';

/** Columns within which fields of a kind are read, searched and indexed alike. */
const families: readonly (readonly [family: string, types: RegExp])[] = [
  ['text', /^(?:character|bpchar|text|(?:\w+\.)?citext)\b(?!.*\[)/],
  ['numbers', /^(?:smallint|integer|bigint|numeric|real|double precision)\b(?!.*\[)/],
  ['true and false', /^boolean$/],
];

/**
 * Columns that a field could not use any more, as when a number became text. Others that differ are reported as differences,
 * with which the platform keeps working.
 */
export function retypedColumns(table: TableSpec, actual: ActualTable, normalise: Normaliser): readonly SchemaFailure[] {
  return table.columns.flatMap((column): readonly SchemaFailure[] => {
    const normal = normalise(column);
    const found = actual.columns.get(column.name);
    if (found === undefined || normal.status === 'invalid') return [];
    if (column.generated !== undefined) return found.generated ? [] : [storedAlready(table, column)];
    const family = familyOf(normal.type);
    if (family === undefined || family === familyOf(found.type)) return [];
    const name = quoteIdentifier(column.name);
    const change = alterColumn(table.name, column.name, `TYPE ${normal.type} USING ${name}::${normal.type}`);
    return [
      {
        plugin: table.plugin,
        code: 'SCHEMA_COLUMN_RETYPED',
        reason: `Table ${quoteIdentifier(table.name)}: column ${name} is ${found.type} in the database and ${normal.type} in the model, which accepts ${family}.`,
        remedy: `Give the field another name, or add the statement to a migration of the plugin: ${change};`,
      },
    ];
  });
}

/** Values of people are not overwritten. */
function storedAlready({ plugin, name: table }: TableSpec, column: ColumnSpec): SchemaFailure {
  return {
    plugin,
    code: 'SCHEMA_COLUMN_RETYPED',
    reason: `Table ${quoteIdentifier(table)}: column ${quoteIdentifier(column.name)} has values that were written, but the field is computed in the model.`,
    remedy: `Give the field another name, or remove the column in a migration of the plugin, if its values are not needed: ALTER TABLE ${quoteIdentifier(table)} DROP COLUMN ${quoteIdentifier(column.name)};`,
  };
}

function familyOf(type: string): string | undefined {
  return families.find(([, types]) => types.test(type))?.[0];
}
