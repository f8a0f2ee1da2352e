import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { isUnavailable, reasonOf } from '../database-errors';
import { changeTable } from './change-tables';

/** Months whose partitions are made ahead of time. */
const monthsAhead = 2;

/**
 * Makes the partitions of this month and the next ones that do not exist. Without one, rows go to the default partition, where retention
 * does not reach them; that is no reason not to start. Rows are written meanwhile: attaching a table holds up writers for a moment only.
 * @throws when the connection to the database is lost
 */
export async function createPartitions(client: Pick<ClientBase, 'query'>, now: Date, logger: Logger): Promise<void> {
  for (let month = 0; month <= monthsAhead; month += 1) {
    const name = partitionOf(monthAfter(now, month));
    const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      `public.${name}`,
    ]);
    if (rows[0]?.found !== true) await createPartition(client, name, now, month, logger);
  }
}

async function createPartition(
  client: Pick<ClientBase, 'query'>,
  name: string,
  now: Date,
  month: number,
  logger: Logger,
): Promise<void> {
  const from = monthAfter(now, month).toISOString();
  const to = monthAfter(now, month + 1).toISOString();
  try {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = '5s';
       CREATE TABLE public.${name} (LIKE public.${changeTable} INCLUDING DEFAULTS);
       ALTER TABLE public.${changeTable} ATTACH PARTITION public.${name} FOR VALUES FROM ('${from}') TO ('${to}');
       COMMIT`,
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await client.query('ROLLBACK');
    logger.warn({ partition: name, reason: reasonOf(error) }, 'a partition of the change feed could not be created');
  }
}

function monthAfter(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
}

function partitionOf(month: Date): string {
  return `${changeTable}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
}
