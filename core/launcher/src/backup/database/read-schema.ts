import type { ClientBase } from 'pg';
import { LauncherError } from '../../common/launcher-error';
import type { TableColumns } from './copy-table';
import {
  privilegeQuery,
  queriesAfterData,
  queriesBeforeData,
  sequenceQuery,
  tableQuery,
  unsupportedQuery,
} from './schema-queries';

/** A database without its rows. */
export interface DatabaseSchema {
  /** Statements that make everything that the rows need. */
  readonly beforeData: readonly string[];
  /** Statements to run after the rows are loaded: keys, indexes, views, triggers and similar objects. */
  readonly afterData: readonly string[];
  /** The largest first, by what PostgreSQL believes. */
  readonly tables: readonly TableColumns[];
  readonly sequences: readonly { readonly schema: string; readonly name: string }[];
  /** Objects of the database that are not part of the backup. */
  readonly leftOut: readonly string[];
}

const namedObjects = 10;

/**
 * Reads the schema of the whole database from its catalogue.
 * @throws LauncherError when there are objects that it cannot make again; their names are in the message.
 */
export async function readSchema(client: ClientBase): Promise<DatabaseSchema> {
  await assertSupported(client);
  return {
    beforeData: await statementsOf(client, queriesBeforeData),
    afterData: await statementsOf(client, queriesAfterData),
    tables: (await client.query<TableColumns>(tableQuery)).rows,
    sequences: (await client.query<{ schema: string; name: string }>(sequenceQuery)).rows,
    leftOut: (await client.query<{ object: string }>(privilegeQuery)).rows.map(({ object }) => object),
  };
}

async function assertSupported(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ object: string }>(unsupportedQuery);
  if (rows.length === 0) return;
  const named = rows.slice(0, namedObjects).map(({ object }) => object);
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
  throw new LauncherError(
    `The database holds objects that a backup cannot restore: ${named.join(', ')}${more}.`,
    'Remove them, or back up with the tools of PostgreSQL (docs/backup-and-restore.md).',
  );
}

async function statementsOf(client: ClientBase, queries: readonly string[]): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const query of queries) {
    const { rows } = await client.query<{ statement: string }>(query);
    statements.push(...rows.map(({ statement }) => statement));
  }
  return statements;
}
