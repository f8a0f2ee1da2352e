import { formatPosition, type Position } from '@gantry/core-database';
import type { Feed } from './feed';
import type { DeliveryAttempt, SubscriptionState, SubscriptionStatus } from '../sending/webhook-schemas';

/** Columns of a {@link StatusRow}, of the alias `s` of gantry_subscription. */
export const statusColumns = `s.id AS "subscriptionId", s.state, s.epoch, s.transaction_id, s.sequence,
    s.failing_since AS "failingSince", s.last_error AS "lastError", s.last_delivered_at AS "lastDeliveredAt", s.gap_since AS "gapSince",
    s.created_at AS "createdAt",
    (SELECT count(*)::integer FROM gantry_waiting_change c WHERE c.subscription_id = s.id) AS waiting,
    (SELECT count(*)::integer FROM gantry_undelivered_change c WHERE c.subscription_id = s.id) AS undelivered,
    (SELECT json_build_object('at', d.at, 'delivered', d.is_delivered, 'status', d.status, 'error', d.error)
      FROM gantry_delivery d WHERE d.subscription_id = s.id ORDER BY d.id DESC LIMIT 1) AS "lastAttempt"`;

export interface StatusRow {
  readonly subscriptionId: string;
  readonly state: SubscriptionState;
  readonly epoch: number;
  readonly transaction_id: string;
  readonly sequence: string;
  readonly failingSince: Date | null;
  readonly lastError: string | null;
  readonly lastDeliveredAt: Date | null;
  readonly gapSince: Date | null;
  readonly createdAt: Date;
  readonly waiting: number;
  readonly undelivered: number;
  readonly lastAttempt: Pick<DeliveryAttempt, 'at' | 'delivered' | 'status' | 'error'> | null;
}

/** The states of subscriptions, in the same order. @param typesOf type codes of each, all when empty */
export async function statusesOf<R extends StatusRow>(
  rows: readonly R[],
  typesOf: (row: R) => readonly string[],
  feed: Pick<Feed, 'backlogs'>,
): Promise<readonly SubscriptionStatus[]> {
  const backlogs = await feed.backlogs(rows.map((row) => ({ position: positionOf(row), types: typesOf(row) })));
  return rows.map((row, index): SubscriptionStatus => {
    const { state, waiting, undelivered, lastError, lastAttempt } = row;
    const { count = 0, since = null } = backlogs[index] ?? {};
    return {
      ...{ state, waiting, undelivered, lastError },
      position: formatPosition(positionOf(row)),
      failingSince: timeOf(row.failingSince),
      lastDeliveredAt: timeOf(row.lastDeliveredAt),
      gapSince: timeOf(row.gapSince),
      backlog: count,
      backlogSince: since,
      lastAttempt: lastAttempt && { ...lastAttempt, at: new Date(lastAttempt.at).toISOString() },
    };
  });
}

export function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

function positionOf({ epoch, transaction_id: transaction, sequence }: StatusRow): Position {
  return [String(epoch), transaction, sequence];
}
