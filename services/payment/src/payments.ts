import type { ItemStore } from '@gantry/plugin-api';
import { Payment } from './payment';

/** The stored payments, one item per order. */
export interface Payments {
  /** Stores that a payment has come in; one that was refused is tried again, any other stays as it is. */
  receive(orderId: string): Promise<void>;
  /** Notes that the order has the payment for certain. */
  accept(orderId: string): Promise<void>;
  /** Notes that no order took the payment: the item shows who tried. One that was accepted stays. */
  refuse(orderId: string): Promise<void>;
  isAccepted(orderId: string): Promise<boolean>;
  /** Orders whose payment has been waiting since `before` to be accepted: those that wait longest, a hundred at most. */
  waiting(before: Date): Promise<readonly string[]>;
}

export function createPayments(items: ItemStore): Payments {
  const payments = items.of(Payment);
  const key = { by: ['orderId'] } as const;
  return {
    async receive(orderId) {
      const { created } = await payments.createIfAbsent({ orderId, state: 'RECEIVED' }, key);
      if (!created) await payments.updateWhere({ orderId, state: 'REFUSED' }, { state: 'RECEIVED' });
    },
    async accept(orderId) {
      // Also after REFUSED: a second request for the same order may have refused the payment a moment before.
      await payments.upsert({ orderId, state: 'ACCEPTED' }, key);
    },
    async refuse(orderId) {
      await payments.updateWhere({ orderId, state: 'RECEIVED' }, { state: 'REFUSED' });
    },
    async isAccepted(orderId) {
      return (await payments.find({ orderId, state: 'ACCEPTED' })) !== undefined;
    },
    async waiting(before) {
      const { items: received } = await payments.list({ state: 'RECEIVED' }, { sort: 'updatedAt', limit: 100 });
      return received.filter(({ updatedAt }) => updatedAt < before).map(({ orderId }) => orderId);
    },
  };
}
