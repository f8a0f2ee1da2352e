import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A parcel and what the carrier said about it; written by this service only. @public */
@ItemType({
  displayName: 'Shipment',
  icon: 'M3 6h11v10H3zM14 10h4l3 3v3h-7zM7 16.5a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5zM17 16.5a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z',
  columns: ['orderId', 'delivered'],
  unique: [['orderId']],
  heading: 'orderId',
  readOnly: true,
})
export class Shipment extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  /** Null as long as the carrier has reported nothing. */
  @Field({ displayName: 'Delivered', type: 'BOOLEAN', searchable: true })
  declare delivered: boolean | null;
}
