import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A parcel and what the carrier said about it; written by this service only. @public */
@ItemType({
  displayName: 'Shipment',
  columns: ['orderId', 'delivered'],
  unique: [['orderId']],
  readOnly: true,
})
export class Shipment extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  /** Null as long as the carrier has reported nothing. */
  @Field({ displayName: 'Delivered', type: 'BOOLEAN', searchable: true })
  declare delivered: boolean | null;
}
