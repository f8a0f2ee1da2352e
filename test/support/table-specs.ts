import type { ColumnSpec, ForeignKeySpec, IndexSpec, TableSpec } from '@gantry/core-database';

/** A table as the platform makes them for item types, with what a test adds. */
export function tableSpec(plugin: string, name: string, more: Partial<TableSpec> = {}): TableSpec {
  return {
    plugin,
    name,
    primaryKey: ['id'],
    indexes: [],
    foreignKeys: [],
    ...more,
    columns: [{ name: 'id', type: 'BIGINT', nullable: false, identity: true }, ...(more.columns ?? [])],
  };
}

export function column(name: string, type: string, more: Partial<ColumnSpec> = {}): ColumnSpec {
  return { name, type, nullable: true, ...more };
}

export function index(name: string, columns: readonly string[], more: Partial<IndexSpec> = {}): IndexSpec {
  return { name, columns, unique: false, method: 'btree', ...more };
}

export function trigramIndex(name: string, columns: readonly string[]): IndexSpec {
  return index(name, columns, { method: 'gin', operatorClass: 'gin_trgm_ops' });
}

export function foreignKey(name: string, columnName: string, referencedTable: string): ForeignKeySpec {
  return { name, column: columnName, referencedTable, onDelete: 'RESTRICT' };
}
