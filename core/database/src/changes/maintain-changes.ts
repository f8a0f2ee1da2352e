import type { Logger } from '@gantry/plugin-api';
import { Client } from 'pg';
import { connectionSettings } from '../connections/connection-settings';
import { reasonOf } from '../database-errors';
import { releaseSchemaLock, tryTakeSchemaLock } from '../schema/schema-lock';
import { literal } from '../identifiers';
import {
  createPartitions,
  defaultPartition,
  dropPartitions,
  readPartitions,
  type DropOptions,
} from './change-partitions';
import { monthsBefore, readRetention, type Ask } from './change-retention';
import { eventsOf } from '../events/own-events';
import type { TrimmedChanges, WithEvents } from '../events/table-events';
import { changeTable } from './change-tables';

export interface MaintenanceOptions {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** Who may not have read what is deleted. */
  readonly owners: readonly WithEvents[];
}

export interface ChangeMaintenance {
  /** Ends what is under way. */
  stop(): Promise<void>;
}

/** After the start, which makes the partitions itself. */
const firstMs = 60_000;
const intervalMs = 24 * 60 * 60 * 1_000;

/** Keeps the change feed once a day: partitions ahead, retention. */
export function startChangeMaintenance(options: MaintenanceOptions): ChangeMaintenance {
  const stopped = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = (): void => {
    running = maintainChanges({ ...options, now: new Date(), signal: stopped.signal }).catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      options.logger.warn({ reason: reasonOf(error) }, 'the change feed could not be maintained; next try in a day');
    });
  };
  const first = setTimeout(run, firstMs).unref();
  const daily = setInterval(run, intervalMs).unref();
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(daily);
      stopped.abort();
      await running;
    },
  };
}

export interface MaintenanceReport {
  readonly dropped: readonly string[];
  /** Rows that were deleted, by table of items; `*` for those of all types. */
  readonly deleted: Readonly<Record<string, number>>;
}

/** "changes" in ASCII; the lock is per database. Hosts that come while one is at it have nothing to do. */
const lockKey = 0x6368616e6765;
const batchSize = 5_000;

/**
 * Makes partitions ahead of time and deletes what is older than its retention. Another host may be at it: then nothing is done.
 * @returns undefined when another host is at it
 * @throws the error of the database
 */
export async function maintainChanges(
  options: MaintenanceOptions & { readonly now: Date; readonly signal: AbortSignal },
): Promise<MaintenanceReport | undefined> {
  const { databaseUrl, logger, now, signal } = options;
  const client = new Client(connectionSettings(databaseUrl, 'schema', { statementTimeoutMs: 0 }));
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.connect();
    const ask: Ask = async <T extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<T>(sql, [...values])).rows;
    const [state] = await ask<{ isFree: boolean }>(
      `SELECT to_regclass('public.${changeTable}') IS NOT NULL AND pg_try_advisory_lock($1) AS "isFree"`,
      [lockKey],
    );
    if (state?.isFree !== true) return undefined;
    const { months, types } = await readRetention(ask);
    const before = months === undefined ? undefined : monthsBefore(now, months);
    const events = eventsOf(options.owners);
    const trim = async (changes: TrimmedChanges): Promise<void> => {
      for (const { trimmed } of events) await trimmed?.(client, changes);
    };
    const dropped = await changePartitions(client, now, before, { logger, trim });
    const deleted: Record<string, number> = {};
    if (before !== undefined) {
      await trim({ table: defaultPartition, condition: `c.at < '${before.toISOString()}'` });
      deleted['*'] = await deleteRows(ask, defaultPartition, before, undefined, signal);
    }
    for (const [code, { table, months: ofType }] of Object.entries(types)) {
      const oldest = monthsBefore(now, ofType);
      const condition = `c.item_table = ${literal(table)} AND c.at < ${literal(oldest.toISOString())}`;
      await trim({ table: changeTable, condition, type: code });
      deleted[table] = await deleteType(client, ask, table, oldest, signal);
    }
    const report = { dropped, deleted };
    if (dropped.length > 0 || Object.values(deleted).some((count) => count > 0)) {
      logger.info(report, 'changes that are older than their retention were deleted');
    }
    return report;
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}

/** A host that starts, and a backup that reads the schema, come first: the next day is early enough. */
async function changePartitions(
  client: Client,
  now: Date,
  before: Date | undefined,
  { logger, trim }: DropOptions,
): Promise<readonly string[]> {
  if (!(await tryTakeSchemaLock(client))) return [];
  try {
    await createPartitions(client, now, logger);
    return before === undefined ? [] : await dropPartitions(client, before, { logger, trim });
  } finally {
    await releaseSchemaLock(client);
  }
}

async function deleteType(client: Client, ask: Ask, table: string, before: Date, signal: AbortSignal): Promise<number> {
  let count = await deleteRows(ask, defaultPartition, before, table, signal);
  for (const { name, end } of await readPartitions(client)) {
    const begin = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1));
    if (begin < before) count += await deleteRows(ask, name, before, table, signal);
  }
  return count;
}

/** In batches, so that no transaction is long and readers of the feed do not wait for it. */
async function deleteRows(
  ask: Ask,
  partition: string,
  before: Date,
  table: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const ofTable = table === undefined ? '' : ' AND item_table = $2';
  const values = table === undefined ? [before] : [before, table];
  for (let count = 0; ;) {
    signal.throwIfAborted();
    const [row] = await ask<{ deleted: number }>(
      `WITH gone AS (DELETE FROM public.${partition} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM public.${partition} WHERE at < $1${ofTable} LIMIT ${batchSize})) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      values,
    );
    const deleted = row?.deleted ?? 0;
    count += deleted;
    if (deleted < batchSize) return count;
  }
}
