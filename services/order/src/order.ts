import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** An order that was placed; written by this service only. It outlasts the workflow, which Temporal forgets. @public */
@ItemType({ displayName: 'Order', columns: ['orderId', 'runId'], unique: [['orderId', 'namespaceId']], readOnly: true })
export class Order extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  /** The first run of its workflow. */
  @Field({ displayName: 'Run', required: true, maxLength: 64 })
  declare runId: string;

  /** Of Temporal's own making: another Temporal has another one, even under the same name. */
  @Field({ displayName: 'Namespace', required: true, maxLength: 64 })
  declare namespaceId: string;
}
