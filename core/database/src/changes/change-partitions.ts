import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { isUnavailable, reasonOf } from '../database-errors';
import { tableExists } from '../table-exists';
import type { TrimmedChanges } from '../events/table-events';
import { changeTable } from './change-tables';

type Connection = Pick<ClientBase, 'query'>;

/** The partition of one month. */
export interface ChangePartition {
  readonly name: string;
  /** The first moment of the month after it. */
  readonly end: Date;
}

/** Where rows go for whose month there is no partition. */
export const defaultPartition = `${changeTable}_default`;

/** Months whose partitions are made ahead of time. */
const monthsAhead = 2;

/**
 * A partition is attached, or dropped, when no writer of items has a lock on the feed. Writers that come meanwhile wait behind it, so it
 * gives up soon and is tried again the next time: rows then go to the default partition, from where they are moved.
 */
const lockTimeoutMs = 1_000;

/**
 * Makes the partitions of this month and the next ones that do not exist. The caller holds the schema lock.
 * @throws when the connection to the database is lost
 */
export async function createPartitions(client: Connection, now: Date, logger: Logger): Promise<void> {
  for (let month = 0; month <= monthsAhead; month += 1) {
    const name = partitionOf(monthAfter(now, month));
    if (await tableExists(client, name)) continue;
    const from = monthAfter(now, month).toISOString();
    const to = monthAfter(now, month + 1).toISOString();
    const range = `at >= '${from}' AND at < '${to}'`;
    await change(
      client,
      `CREATE TABLE public.${name} (LIKE public.${changeTable} INCLUDING DEFAULTS);
       WITH moved AS (DELETE FROM public.${defaultPartition} WHERE ${range} RETURNING *)
       INSERT INTO public.${name} SELECT * FROM moved;
       ALTER TABLE public.${changeTable} ATTACH PARTITION public.${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
      (reason) => logger.warn({ partition: name, reason }, 'a partition of the change feed could not be created'),
    );
  }
}

export interface DropOptions {
  readonly logger: Logger;
  /** Notes who has not read the changes, in the transaction in which they go. */
  readonly trim: (changes: TrimmedChanges) => Promise<void>;
}

/**
 * Drops the partitions of which every row is older. The caller holds the schema lock.
 * @returns the names of those that are gone
 * @throws when the connection to the database is lost
 */
export async function dropPartitions(
  client: Connection,
  before: Date,
  { logger, trim }: DropOptions,
): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const { name, end } of await readPartitions(client)) {
    if (end > before) continue;
    const isDropped = await change(
      client,
      `DROP TABLE public.${name}`,
      (reason) => logger.warn({ partition: name, reason }, 'a partition of the change feed could not be dropped'),
      () => trim({ table: name }),
    );
    if (isDropped) dropped.push(name);
  }
  return dropped;
}

/** The partitions of months, the oldest first. */
export async function readPartitions(client: Connection): Promise<readonly ChangePartition[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass('public.${changeTable}') ORDER BY c.relname`,
  );
  return rows.flatMap(({ name }) => {
    const [, year, month] = monthOfName.exec(name) ?? [];
    return year === undefined ? [] : [{ name, end: new Date(Date.UTC(Number(year), Number(month), 1)) }];
  });
}

const monthOfName = new RegExp(`^${changeTable}_(\\d{4})_(\\d{2})$`);

/** @returns whether it succeeded */
async function change(
  client: Connection,
  statements: string,
  onFailure: (reason: string) => void,
  before?: () => Promise<void>,
): Promise<boolean> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await before?.();
    await client.query(`${statements}; COMMIT`);
    return true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await client.query('ROLLBACK');
    onFailure(reasonOf(error));
    return false;
  }
}

function monthAfter(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}

function partitionOf(month: Date): string {
  return `${changeTable}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
}
