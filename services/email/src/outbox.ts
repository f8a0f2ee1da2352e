import { timeLimits } from '@gantry/contracts';
import { isGantryError, type ItemStore, type StoredItem } from '@gantry/plugin-api';
import { Notification } from './notification';
import type { NotificationKind, NotificationText } from './notification-text';

/** The stored notifications, one item per order and kind. */
export interface Outbox {
  /** Stores a notification; changes nothing when it is stored already. */
  store(orderId: string, kind: NotificationKind, recipient: string, text: NotificationText): Promise<void>;
  /** Takes a notification for sending: `taken`, or why not: it was `sent`, or another attempt is `busy` with it. */
  claim(orderId: string, kind: NotificationKind): Promise<'taken' | 'sent' | 'busy'>;
  /** Notes how the sending ended. */
  finish(orderId: string, kind: NotificationKind, state: 'SENT' | 'STORED'): Promise<void>;
}

/** @param now the current time, which shows whether an attempt was cut off or is under way */
export function createOutbox(items: ItemStore, now: () => Date): Outbox {
  const notifications = items.of(Notification);
  const takeIfStored = async (orderId: string, kind: NotificationKind): Promise<boolean> => {
    const taken = await notifications.updateWhere({ orderId, kind, state: 'STORED' }, { state: 'SENDING' });
    return taken.length > 0;
  };
  /** Gives up the attempt that was seen, not one that has begun since. */
  const release = async ({ id, version }: StoredItem<Notification>): Promise<boolean> => {
    try {
      await notifications.update(id, { state: 'STORED' }, { expectedVersion: version });
      return true;
    } catch (error) {
      if (isGantryError(error) && error.code === 'VERSION_MISMATCH') return false;
      throw error;
    }
  };
  return {
    async store(orderId, kind, recipient, { subject, body }) {
      await notifications.createIfAbsent(
        { orderId, kind, recipient, subject, body, state: 'STORED' },
        { by: ['orderId', 'kind'] },
      );
    },
    async claim(orderId, kind) {
      if (await takeIfStored(orderId, kind)) return 'taken';
      const notification = await notifications.find({ orderId, kind });
      if (notification?.state === 'SENT') return 'sent';
      if (notification?.state !== 'SENDING' || !isCutOff(notification.updatedAt, now())) return 'busy';
      return (await release(notification)) && (await takeIfStored(orderId, kind)) ? 'taken' : 'busy';
    },
    async finish(orderId, kind, state) {
      await notifications.updateWhere({ orderId, kind, state: 'SENDING' }, { state });
    },
  };
}

/** An attempt that has not finished by then was interrupted. */
function isCutOff(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() > timeLimits.emailStartToClose;
}
