import type { OrderStep } from './workflows';

/**
 * The status of an order, as the item type `order` stores it. `OPEN`: its workflow runs. `NEEDS_DECISION`: it was
 * paid, and its workflow ended without a delivery and without a refund; a person decides with one of
 * {@link orderOperations}. `REFUNDING` and `REDELIVERING`: such an operation runs. The others are final: `NOT_PAID` when the
 * payment wait elapsed, `CANCELED` and `FAILED` for orders that took no payment.
 * @public
 */
export const orderStatuses = [
  'OPEN',
  'DELIVERED',
  'REFUNDED',
  'NOT_PAID',
  'CANCELED',
  'FAILED',
  'NEEDS_DECISION',
  'REFUNDING',
  'REDELIVERING',
] as const;
/** One of {@link orderStatuses}. @public */
export type OrderStatus = (typeof orderStatuses)[number];

/** The steps of an order (order specification, section 3), in the order in which they can follow each other. @public */
export const orderSteps = [
  'START',
  'ORDER_PLACED',
  'NOT_PAID',
  'PAID',
  'WAITING_FOR_CHILD',
  'COMPENSATING',
  'COMPLETED',
] as const satisfies readonly OrderStep[];

/**
 * The steps in the row of an order: those of its workflow, and `IN_TRANSIT` while its consignment is on its way to the
 * customer, for which the workflow of the order has no step.
 * @public
 */
export const orderRowSteps = [
  'START',
  'ORDER_PLACED',
  'NOT_PAID',
  'PAID',
  'WAITING_FOR_CHILD',
  'IN_TRANSIT',
  'COMPENSATING',
  'COMPLETED',
] as const;
/** One of {@link orderRowSteps}. @public */
export type OrderRowStep = (typeof orderRowSteps)[number];

/**
 * The values of an item of the type `order`. What was placed before the platform stored statuses, and was forgotten by
 * Temporal since, has neither step, status nor `since`.
 * @public
 */
export interface OrderRow {
  readonly orderId: string;
  /** The first run of its workflow. */
  readonly runId: string;
  readonly namespaceId: string;
  readonly step: OrderRowStep | null;
  readonly status: OrderStatus | null;
  /** Why the order needs a decision, failed, was cancelled or refunded: a sentence for people. */
  readonly reason: string | null;
  /** When the order reached this step and status: ISO 8601 in UTC with milliseconds. */
  readonly since: string | null;
  /** When a person took note of a failure: ISO 8601 in UTC with milliseconds; null for all other orders. */
  readonly acknowledgedAt: string | null;
  readonly acknowledgedBy: string | null;
  readonly acknowledgedReason: string | null;
}
