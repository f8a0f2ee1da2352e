import type { EmailActivities } from '@gantry/contracts';
import type { Mailer } from './mailer';
import { notificationText, type NotificationKind } from './notification-text';
import type { Outbox } from './outbox';

/** The context of the email activities. */
export interface EmailDependencies {
  readonly outbox: Outbox;
  readonly recipient: string;
  /** Absent: the stored outbox is where notifications end. */
  readonly mailer: Mailer | undefined;
}

/**
 * The email activities. The row is stored once per order and kind. Mail is sent at least once: when the process dies
 * after the mail server accepted a message and before the row records it, the retry sends it again, under the same Message-ID.
 */
export function createEmailActivities(dependencies: EmailDependencies): EmailActivities {
  return {
    sendOrderPlacedNotification: (orderId) => notify(dependencies, orderId, 'ORDER_PLACED'),
    sendPaymentCompletedNotification: (orderId) => notify(dependencies, orderId, 'PAYMENT_COMPLETED'),
    sendOrderCancelledNotification: (orderId) => notify(dependencies, orderId, 'ORDER_CANCELLED'),
  };
}

async function notify({ outbox, recipient, mailer }: EmailDependencies, orderId: string, kind: NotificationKind) {
  const text = notificationText(orderId, kind);
  await outbox.store(orderId, kind, recipient, text);
  if (mailer === undefined) return;
  const claim = await outbox.claim(orderId, kind);
  if (claim === 'sent') return;
  if (claim === 'busy') throw new Error(`Another attempt is sending ${kind} of order ${orderId}; trying again.`);
  try {
    await mailer(orderId, kind, text);
  } catch (error) {
    await outbox.finish(orderId, kind, 'STORED');
    throw error;
  }
  await outbox.finish(orderId, kind, 'SENT');
}
