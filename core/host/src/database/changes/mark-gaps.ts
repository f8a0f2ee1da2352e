import { literal } from '../../common/naming';
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
  return withSubscriptions(markGaps(table, condition));
}

/**
 * The same for changes of one type, which a webhook for other types does not miss. What a plugin subscribes to is not stored: its
 * subscription is marked where it may have missed something.
 */
export function markGapsOfType(code: string, table: string, before: Date): string {
  const condition = `c.item_table = ${literal(table)} AND c.at < ${literal(before.toISOString())}`;
  return withSubscriptions(
    `${markGaps(changeTable, condition)} AND NOT EXISTS (SELECT FROM public.gantry_webhook w
      WHERE w.subscription_id = s.id AND cardinality(w.types) > 0 AND NOT ${literal(code)} = ANY (w.types))`,
  );
}

function withSubscriptions(statement: string): string {
  return `DO $gantry$ BEGIN
    IF to_regclass('public.gantry_subscription') IS NOT NULL THEN ${statement}; END IF;
  END $gantry$`;
}
