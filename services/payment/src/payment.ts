import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A payment of an order; written by this service only. @public */
@ItemType({
  displayName: 'Payment',
  icon: 'M3 6h18v12H3zM3 10h18M6 14.5h4',
  columns: ['orderId', 'state'],
  unique: [['orderId']],
  heading: 'orderId',
  readOnly: true,
})
export class Payment extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  /** `RECEIVED` until the order has it for certain, then `ACCEPTED`; `REFUSED` when the order had ended. */
  @Field({
    displayName: 'State',
    searchable: true,
    required: true,
    options: ['RECEIVED', 'ACCEPTED', 'REFUSED'],
    default: 'RECEIVED',
    maxLength: 16,
  })
  declare state?: 'RECEIVED' | 'ACCEPTED' | 'REFUSED';
}
