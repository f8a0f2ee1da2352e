import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A payment that was paid back; written by this service only. @public */
@ItemType({
  displayName: 'Refund',
  icon: 'M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3',
  columns: ['orderId'],
  unique: [['orderId']],
  heading: 'orderId',
  readOnly: true,
})
export class Refund extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;
}
