import type { ClientBase } from 'pg';
import { tableExists } from '../table-exists';
import { changeTable } from './change-tables';

/**
 * Begins a new epoch of the change feed, as the ids of transactions of another server may be lower than those in the rows: positions
 * of rows that are written from now on come after all that were written before. Does nothing without a feed. Writers wait meanwhile.
 * @returns the epoch; undefined without a feed
 */
export async function raiseEpoch(client: Pick<ClientBase, 'query'>, now: Date): Promise<number | undefined> {
  if (!(await tableExists(client, changeTable))) return undefined;
  const { rows } = await client.query<{ epoch: number }>(
    `SELECT greatest(${currentEpoch}, (SELECT max(epoch) FROM public.${changeTable})) AS epoch`,
  );
  const epoch = Math.max((rows[0]?.epoch ?? 0) + 1, secondsOf(now));
  await client.query(`ALTER TABLE public.${changeTable} ALTER COLUMN epoch SET DEFAULT ${epoch}`);
  return epoch;
}

/**
 * Raises the epoch when the feed was brought here from another server by the tools of PostgreSQL. A row's transaction id is lower
 * than any that its own server assigns after it.
 * @returns the new epoch; undefined when the rows are of this server, or none of them can be ahead of new ones
 */
export async function raiseEpochAfterMove(client: Pick<ClientBase, 'query'>, now: Date): Promise<number | undefined> {
  if (!(await tableExists(client, changeTable))) return undefined;
  const { rows } = await client.query<{ isAhead: boolean }>(
    `SELECT coalesce((SELECT c.epoch > ${currentEpoch} OR c.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       FROM public.${changeTable} c WHERE c.epoch >= ${currentEpoch}
       ORDER BY c.epoch DESC, c.transaction_id DESC LIMIT 1), false) AS "isAhead"`,
  );
  return rows[0]?.isAhead === true ? raiseEpoch(client, now) : undefined;
}

/** The default of the column, a constant. */
const currentEpoch = `(SELECT pg_get_expr(d.adbin, d.adrelid)::integer FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid
  AND a.attnum = d.adnum WHERE d.adrelid = 'public.${changeTable}'::regclass AND a.attname = 'epoch')`;

/**
 * An epoch is a time, so that a backup that is restored a second time does not get the epoch of the first time, whose positions clients
 * may have.
 */
function secondsOf(now: Date): number {
  return Math.floor((now.getTime() - Date.UTC(2026, 0, 1)) / 1_000);
}
