import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A payment that was paid back; written by this service only. @public */
@ItemType({ displayName: 'Refund', columns: ['orderId'], unique: [['orderId']], readOnly: true })
export class Refund extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;
}
