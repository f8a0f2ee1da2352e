import { changeTable } from './change-tables';

/**
 * Statement that marks the subscriptions which have not passed changes that are about to be removed; to be run before, in the same
 * transaction.
 * @param table the feed or one of its partitions
 * @param condition SQL over the alias `c` of the changes that are removed; all of the table unless given
 */
export function markGaps(table: string = changeTable, condition = 'true'): string {
  return `UPDATE public.gantry_subscription s SET gap_since = least(s.gap_since, lost.at) FROM (
    SELECT o.id, (SELECT min(c.at) FROM public.${table} c
      WHERE (c.epoch, c.transaction_id, c.sequence) > (o.epoch, o.transaction_id, o.sequence) AND (${condition})) AS at
    FROM public.gantry_subscription o
  ) lost WHERE s.id = lost.id AND lost.at IS NOT NULL`;
}

/** The same for a database that may have no subscriptions yet. */
export function markAnyGaps(table: string, condition?: string): string {
  return `DO $gantry$ BEGIN
    IF to_regclass('public.gantry_subscription') IS NOT NULL THEN ${markGaps(table, condition)}; END IF;
  END $gantry$`;
}
