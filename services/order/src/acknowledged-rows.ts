import type { ItemCriteria, ItemStore, StoredItem } from '@gantry/plugin-api';
import { Order } from './order';
import type { OrderAcknowledgement } from './routes/order-schemas';
import type { AcknowledgementNote } from './routes/request-schemas';

/** An order whose failure was acknowledged. */
export interface AcknowledgedOrder {
  readonly acknowledgement: OrderAcknowledgement;
  /** False when it had been acknowledged before. */
  readonly isNew: boolean;
}

/** The failures that were acknowledged. */
export interface AcknowledgedRows {
  /**
   * Stores that a person took note of the failure of an order, in the rows of that id which have failed, whichever Temporal they
   * are of; one that is acknowledged already stays as it is. Temporal is not asked.
   * @returns the newest of these rows; undefined when none has failed
   */
  acknowledge(orderId: string, note: AcknowledgementNote, now: Date): Promise<AcknowledgedOrder | undefined>;
  /** The newest row of an order, of whichever Temporal. */
  newest(orderId: string): Promise<StoredItem<Order> | undefined>;
}

/** The values of an order whose failure nobody has acknowledged. */
export const notAcknowledged = { acknowledgedAt: null, acknowledgedBy: null, acknowledgedReason: null } as const;

export function createAcknowledgedRows(items: ItemStore): AcknowledgedRows {
  const orders = items.of(Order);
  const last = async (criteria: ItemCriteria<Order>): Promise<StoredItem<Order> | undefined> =>
    (await orders.list(criteria, { sort: '-id', limit: 1 })).items[0];
  return {
    async acknowledge(orderId, { reason, requestedBy }, now) {
      const failed = { orderId, status: 'FAILED' } as const;
      const stored = await orders.updateWhere(
        { ...failed, acknowledgedAt: null },
        { acknowledgedAt: now.toISOString(), acknowledgedBy: requestedBy ?? null, acknowledgedReason: reason },
      );
      const acknowledgement = acknowledgementOf(await last(failed));
      return acknowledgement && { acknowledgement, isNew: stored.length > 0 };
    },
    newest: (orderId) => last({ orderId }),
  };
}

/** The acknowledgement in a row. */
export function acknowledgementOf(
  row: Pick<StoredItem<Order>, keyof typeof notAcknowledged> | undefined,
): OrderAcknowledgement | undefined {
  if (row?.acknowledgedAt == null) return undefined;
  return { at: row.acknowledgedAt, by: row.acknowledgedBy, reason: row.acknowledgedReason ?? '' };
}
