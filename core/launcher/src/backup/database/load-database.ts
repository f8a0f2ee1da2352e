import { join } from 'node:path';
import { raiseEpoch } from '@gantry/core-database/change-epoch';
import type { ClientBase } from 'pg';
import { messageOf } from '@gantry/core-common';
import { LauncherError } from '../../common/launcher-error';
import { damaged } from '../manifest';
import type { BackedUpTable, Manifest } from '../manifest';
import { loadTable, quote, sumTable } from './copy-table';
import { withSession } from './session';

export interface LoadOptions {
  /** An empty database. */
  readonly url: string;
  /** The backup. */
  readonly folder: string;
  readonly manifest: Pick<Manifest, 'beforeData' | 'afterData' | 'tables' | 'sequences'>;
  readonly signal: AbortSignal;
  readonly onTable?: (table: BackedUpTable, index: number, count: number) => void;
}

/**
 * Makes the schema, loads the rows and sums them again, all in one transaction.
 * @throws LauncherError when the database is not empty, or does not hold afterwards what was backed up.
 */
export async function loadDatabase(options: LoadOptions): Promise<void> {
  const { url, folder, manifest, signal, onTable } = options;
  await withSession(url, signal, async (client) => {
    await assertEmpty(client);
    await client.query('BEGIN');
    await applyStatements(client, manifest.beforeData);
    for (const [index, table] of manifest.tables.entries()) {
      await loadTable(client, table, join(folder, table.file), signal);
      await assertSame(client, folder, table, signal);
      onTable?.(table, index + 1, manifest.tables.length);
    }
    for (const { schema, name, lastValue, isCalled } of manifest.sequences) {
      const sequence = `${quote(schema)}.${quote(name)}`;
      await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [sequence, lastValue, isCalled]);
    }
    // Large: loaded for a restore alone.
    const { answerRestore } = await import('@gantry/host');
    await answerRestore(client);
    await applyStatements(client, manifest.afterData);
    await raiseEpoch(client, new Date());
    await client.query('COMMIT');
    await client.query('ANALYZE');
  });
}

async function assertEmpty(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' LIMIT 1`,
  );
  const [found] = rows;
  if (found === undefined) return;
  throw new LauncherError(`The database is not empty: it holds the table ${found.name}.`, 'Restore into an empty one.');
}

/**
 * Runs statements inside the client's transaction. One that fails is tried again after the others, as long as that helps:
 * what it needs, such as the view that another view reads, may come later in the list.
 * @throws Error with the first statement that cannot be run.
 */
async function applyStatements(client: ClientBase, statements: readonly string[]): Promise<void> {
  let left = statements;
  while (left.length > 0) {
    const failed: { readonly statement: string; readonly error: unknown }[] = [];
    for (const statement of left) {
      await client.query('SAVEPOINT statement');
      try {
        await client.query(statement);
        await client.query('RELEASE SAVEPOINT statement');
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT statement');
        failed.push({ statement, error });
      }
    }
    const [first] = failed;
    if (first !== undefined && failed.length === left.length) {
      throw new Error(`PostgreSQL refuses a statement: ${messageOf(first.error)} (${first.statement.slice(0, 500)})`, {
        cause: first.error,
      });
    }
    left = failed.map(({ statement }) => statement);
  }
}

async function assertSame(
  client: ClientBase,
  folder: string,
  table: BackedUpTable,
  signal: AbortSignal,
): Promise<void> {
  const { rows, sum } = await sumTable(client, table, signal);
  if (rows === table.rows && sum === table.sum) return;
  const counts = rows === table.rows ? 'a different checksum' : `not ${table.rows} as in the backup`;
  throw damaged(folder, `the table ${table.schema}.${table.name} has ${rows} rows after loading, ${counts}`);
}
