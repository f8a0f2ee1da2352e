import { isGantryError, type ItemStore, type ServiceContext, type StoredItem } from '@gantry/plugin-api';
import { Payment } from './payment';

/** The stored payments, one item per order. */
export interface Payments {
  /** Stores that a payment has come in; one that was refused is tried again, any other stays as it is. */
  receive(orderId: string): Promise<void>;
  /** Notes that the order has the payment for certain. */
  accept(orderId: string): Promise<void>;
  /** Stores that an order which has ended did not take the payment. One that was accepted stays. */
  refuse(orderId: string): Promise<void>;
  /**
   * Removes a payment of an order that Temporal does not know, unless an order may have existed: one that was refused before, or
   * that has waited for so long that Temporal may have forgotten its order, is kept as refused.
   */
  discard(orderId: string): Promise<void>;
  isAccepted(orderId: string): Promise<boolean>;
  /** Orders whose payment has been waiting for at least `ageMs` to be accepted: those that wait longest, a hundred at most. */
  waiting(ageMs: number): Promise<readonly string[]>;
}

/** Temporal keeps what has ended for longer than this: its shortest retention is one hour. */
const forgottenAfterMs = 3_600_000;

export function createPayments({ items, now }: Pick<ServiceContext, 'items' | 'now'>): Payments {
  const payments = items.of(Payment);
  const key = { by: ['orderId'] } as const;
  const isOlder = (time: Date, ageMs: number): boolean => now().getTime() - time.getTime() >= ageMs;
  const refuse = async (orderId: string): Promise<void> => {
    await payments.updateWhere({ orderId, state: 'RECEIVED' }, { state: 'REFUSED' });
  };
  return {
    async receive(orderId) {
      const { created } = await payments.createIfAbsent({ orderId, state: 'RECEIVED' }, key);
      if (!created) await payments.updateWhere({ orderId, state: 'REFUSED' }, { state: 'RECEIVED' });
    },
    async accept(orderId) {
      // Also after REFUSED: a second request for the same order may have refused the payment a moment before.
      await payments.upsert({ orderId, state: 'ACCEPTED' }, key);
    },
    refuse,
    async discard(orderId) {
      const payment = await payments.find({ orderId, state: 'RECEIVED' });
      const isNew = payment?.version === 1 && !isOlder(payment.createdAt, forgottenAfterMs);
      if (isNew) await removeUnchanged(items, payment);
      await refuse(orderId);
    },
    async isAccepted(orderId) {
      return (await payments.find({ orderId, state: 'ACCEPTED' })) !== undefined;
    },
    async waiting(ageMs) {
      const { items: received } = await payments.list({ state: 'RECEIVED' }, { sort: 'updatedAt', limit: 100 });
      return received.filter(({ updatedAt }) => isOlder(updatedAt, ageMs)).map(({ orderId }) => orderId);
    },
  };
}

/** Leaves a payment that another request has changed or removed in the meantime. */
async function removeUnchanged(items: ItemStore, { id, version }: StoredItem<Payment>): Promise<void> {
  try {
    await items.of(Payment).remove(id, { expectedVersion: version });
  } catch (error) {
    if (!isGantryError(error) || !['VERSION_MISMATCH', 'ITEM_NOT_FOUND'].includes(error.code)) throw error;
  }
}
