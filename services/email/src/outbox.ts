import { timeLimits } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import type { NotificationKind, NotificationText } from './notification-text';

/** The stored notifications, one row per order and kind. */
export interface Outbox {
  /** Stores a notification; changes nothing when it is stored already. */
  store(orderId: string, kind: NotificationKind, recipient: string, text: NotificationText): Promise<void>;
  /** Takes a notification for sending: `taken`, or why not: it was `sent`, or another attempt is `busy` with it. */
  claim(orderId: string, kind: NotificationKind): Promise<'taken' | 'sent' | 'busy'>;
  /** Notes how the sending ended. */
  finish(orderId: string, kind: NotificationKind, state: 'SENT' | 'STORED'): Promise<void>;
}

/** An attempt that has not come back by then was cut off. */
const claimSeconds = timeLimits.emailStartToClose / 1_000;

/** @param database where the table of the item type `notification` lives */
export function createOutbox(database: Database): Outbox {
  return {
    async store(orderId, kind, recipient, { subject, body }) {
      await database.query(
        `INSERT INTO email_notification
           (order_id, kind, recipient, subject, body, state, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 'STORED', 1, now(), now()) ON CONFLICT (order_id, kind) DO NOTHING`,
        [orderId, kind, recipient, subject, body],
      );
    },
    async claim(orderId, kind) {
      const claimed = await database.query(
        `UPDATE email_notification SET state = 'SENDING', version = version + 1, updated_at = now()
         WHERE order_id = $1 AND kind = $2
           AND (state = 'STORED' OR (state = 'SENDING' AND updated_at < now() - make_interval(secs => $3)))
         RETURNING id`,
        [orderId, kind, claimSeconds],
      );
      if (claimed.length > 0) return 'taken';
      const [row] = await database.query<{ state: string }>(
        'SELECT state FROM email_notification WHERE order_id = $1 AND kind = $2',
        [orderId, kind],
      );
      return row?.state === 'SENT' ? 'sent' : 'busy';
    },
    async finish(orderId, kind, state) {
      await database.query(
        `UPDATE email_notification SET state = $3, version = version + 1, updated_at = now()
         WHERE order_id = $1 AND kind = $2 AND state = 'SENDING'`,
        [orderId, kind, state],
      );
    },
  };
}
