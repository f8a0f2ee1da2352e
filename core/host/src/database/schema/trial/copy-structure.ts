import type { ClientBase } from 'pg';
import { rowCounter, rowsOfTable } from '../row-probes';
import * as sql from './structure-statements';

/** A table of the real database that the copy has, without its rows. */
export interface CopiedTable {
  readonly name: string;
  /** As the statistics estimate it; 0 for one that is empty. */
  readonly rows: number;
}

/** What a copy is made of. */
export interface Structure {
  readonly tables: readonly CopiedTable[];
  /** SQL that makes it in an empty database, in order. */
  readonly statements: readonly string[];
}

export interface Wanted {
  /** Tables that are copied where they exist, with those that they refer to and those that refer to them. */
  readonly names: readonly string[];
  /** The same by the beginning of their names. */
  readonly prefixes: readonly string[];
}

/** Reads the structure of tables from the catalogs of PostgreSQL, which prints most of it as SQL itself. */
export async function readStructure(client: ClientBase, { names, prefixes }: Wanted): Promise<Structure> {
  const found = await client.query<{ oid: string; name: string; rows: string }>(sql.tables, [names, prefixes]);
  const oids = found.rows.map(({ oid }) => oid);
  const counts = await rowCounter(client)(found.rows.map(({ name }) => rowsOfTable(name)));
  const statements: string[] = [];
  for (const text of sql.objects) {
    const { rows } = await client.query<{ statement: string }>(text.sql, text.isOfTables ? [oids] : []);
    statements.push(...rows.map(({ statement }) => statement));
  }
  return {
    tables: found.rows.map(({ name, rows }, index) => ({
      name,
      rows: counts[index] === 0 ? 0 : Math.max(1, Math.round(Number(rows))),
    })),
    statements,
  };
}
