import { BaseItem, Field, ItemType } from '@gantry/plugin-api';
import type { NotificationKind } from './notification-text';

/** A notification to a customer: the outbox of the email service; written by this service only. @public */
@ItemType({
  displayName: 'Notification',
  icon: 'M4 6h16v12H4zM4 7l8 6 8-6',
  columns: ['orderId', 'kind', 'recipient', 'subject', 'state'],
  unique: [['orderId', 'kind']],
  heading: 'orderId',
  readOnly: true,
})
export class Notification extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  @Field({
    displayName: 'Kind',
    searchable: true,
    required: true,
    options: ['ORDER_PLACED', 'PAYMENT_COMPLETED', 'ORDER_CANCELLED'],
    maxLength: 32,
  })
  declare kind: NotificationKind;

  @Field({ displayName: 'Recipient', required: true })
  declare recipient: string;

  @Field({ displayName: 'Subject', required: true })
  declare subject: string;

  @Field({ displayName: 'Text', type: 'TEXT', required: true })
  declare body: string;

  /** `STORED` without a mail server or before the first attempt, `SENDING` during one, `SENT` after it. */
  @Field({
    displayName: 'State',
    searchable: true,
    required: true,
    options: ['STORED', 'SENDING', 'SENT'],
    default: 'STORED',
    maxLength: 16,
  })
  declare state?: 'STORED' | 'SENDING' | 'SENT';
}
