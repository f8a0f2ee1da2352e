import { orderRowSteps, orderStatuses, type OrderRowStep, type OrderStatus } from '@gantry/contracts';
import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** An order that was placed; written by this service only. It outlasts the workflow, which Temporal forgets. @public */
@ItemType({
  displayName: 'Order',
  // The page of orders is called Orders.
  displayNamePlural: 'Order records',
  icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  columns: ['orderId', 'status', 'step', 'reason', 'since'],
  unique: [['orderId', 'namespaceId']],
  indexes: [['status', 'since'], ['since'], ['status', 'acknowledgedAt', 'since']],
  heading: 'orderId',
  label: 'orderId',
  readOnly: true,
  attention: [{ title: 'Orders that need a decision', where: { status: 'NEEDS_DECISION' } }],
})
export class Order extends BaseItem {
  @Field({ displayName: 'Order', searchable: true, required: true, maxLength: 64 })
  declare orderId: string;

  /** The first run of its workflow. */
  @Field({ displayName: 'Run', required: true, maxLength: 64 })
  declare runId: string;

  /** Of Temporal's own making: another Temporal has another one, even under the same name. */
  @Field({ displayName: 'Namespace', required: true, maxLength: 64 })
  declare namespaceId: string;

  /** Null for orders from before statuses were stored, as far as Temporal has forgotten them. */
  @Field({ displayName: 'Status', searchable: true, options: [...orderStatuses], maxLength: 32 })
  declare status: OrderStatus | null;

  @Field({ displayName: 'Step', searchable: true, options: [...orderRowSteps], maxLength: 32 })
  declare step: OrderRowStep | null;

  /** Why the order has this status, where that is not the usual way of things. */
  @Field({ displayName: 'Reason', maxLength: 1_000 })
  declare reason: string | null;

  /** When the order reached this step and status, by the clock of Temporal: ISO 8601 in UTC with milliseconds. */
  @Field({ displayName: 'Since', maxLength: 24 })
  declare since: string | null;

  /** The run that carries out the operation on the order, or the request that began it; `settlement` after a settlement elsewhere, `delivery` after a delivery by an operation. */
  @Field({ displayName: 'Operation', maxLength: 64 })
  declare operation: string | null;

  /** When a person took note of the failure of the order: ISO 8601 in UTC with milliseconds. */
  @Field({ displayName: 'Acknowledged', maxLength: 24 })
  declare acknowledgedAt: string | null;

  @Field({ displayName: 'Acknowledged by', maxLength: 100 })
  declare acknowledgedBy: string | null;

  @Field({ displayName: 'Reason of the acknowledgement', maxLength: 1_000 })
  declare acknowledgedReason: string | null;
}
