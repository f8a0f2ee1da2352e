import { join } from 'node:path';
import { takeSchemaLock, releaseSchemaLock } from '@gantry/core-database/schema-lock';
import type { ClientBase } from 'pg';
import { ensureFolder } from '../../common/files';
import { backupFolders } from '../manifest';
import type { BackedUpSequence, BackedUpTable, Manifest } from '../manifest';
import { dumpTable, quote } from './copy-table';
import type { TableColumns } from './copy-table';
import { readSchema } from './read-schema';
import type { DatabaseSchema } from './read-schema';
import { withSession } from './session';

export interface DumpOptions {
  readonly url: string;
  /** Where the backup is written. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Takes the snapshot; what else has to be as it is at that moment is copied before the promise resolves. */
  readonly atSnapshot: (takeSnapshot: () => Promise<void>) => Promise<void>;
  /** Called when a table is written. */
  readonly onTable?: (table: TableColumns, index: number, count: number) => void;
}

export type DatabaseDump = Pick<
  Manifest,
  'postgresVersion' | 'beforeData' | 'afterData' | 'tables' | 'sequences' | 'leftOut'
>;

/** Connections that copy tables. More of them would take too much from a platform that serves at the same time. */
const lanes = 2;
const lockTimeoutMs = 30_000;

/**
 * Writes schema and rows of a database as they are at one moment, while others read and write. Changes of the
 * schema wait until the tables are copied.
 */
export async function dumpDatabase(options: DumpOptions): Promise<DatabaseDump> {
  const { url, folder, signal, atSnapshot } = options;
  ensureFolder(join(folder, backupFolders.tables), 0o700);
  return withSession(url, signal, async (client) => {
    await takeSchemaLock(client, lockTimeoutMs);
    await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    let snapshot = '';
    await atSnapshot(async () => {
      const { rows } = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
      snapshot = rows[0]?.id ?? '';
    });
    const schema = await readSchema(client);
    await lockTables(client, schema.tables);
    await releaseSchemaLock(client);
    const tables = await dumpTables(options, snapshot, schema.tables);
    return {
      postgresVersion: await versionOf(client),
      beforeData: schema.beforeData,
      afterData: schema.afterData,
      tables,
      // Behind the tables: a sequence is never behind the rows, as it does not know transactions.
      sequences: await readSequences(client, schema.sequences),
      leftOut: schema.leftOut,
    };
  });
}

/** Some changes of a table, such as another type of a column, are not seen by snapshot, but by all at once. */
async function lockTables(client: ClientBase, tables: readonly TableColumns[]): Promise<void> {
  if (tables.length === 0) return;
  await client.query(`LOCK TABLE ${tables.map(nameOf).join(', ')} IN ACCESS SHARE MODE`);
}

async function dumpTables(
  { url, folder, signal, onTable }: DumpOptions,
  snapshot: string,
  tables: readonly TableColumns[],
): Promise<readonly BackedUpTable[]> {
  const left = tables
    .map((table, index) => ({ table, file: `${backupFolders.tables}/${index + 1}.copy.gz` }))
    .toReversed();
  const done: BackedUpTable[] = [];
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const copyTables = (): Promise<void> =>
    withSession(url, both, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const { table, file } = next;
        done.push({ ...table, file, ...(await dumpTable(client, table, join(folder, file), both)) });
        onTable?.(table, done.length, tables.length);
      }
    }).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    });
  await Promise.all(Array.from({ length: Math.min(lanes, tables.length) }, copyTables));
  return done.toSorted((first, second) => first.file.localeCompare(second.file, 'en', { numeric: true }));
}

async function readSequences(
  client: ClientBase,
  sequences: DatabaseSchema['sequences'],
): Promise<readonly BackedUpSequence[]> {
  const found: BackedUpSequence[] = [];
  for (const { schema, name } of sequences) {
    const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${nameOf({ schema, name })}`,
    );
    found.push(...rows.map((row) => ({ schema, name, ...row })));
  }
  return found;
}

async function versionOf(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  return rows[0]?.server_version ?? '';
}

function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quote(schema)}.${quote(name)}`;
}
