import type { OrderRow } from './order-row';

/**
 * What orders wait for, and how they ended, as a person works through them. `attention`: needs a decision, has failed and
 * nobody has acknowledged that, or is open and has made no progress for longer than its step can take; such an order is in the
 * group of its step, too.
 * `refunded` also has those whose refund runs, `cancelled` those that were not paid in time.
 * @public
 */
export const orderGroups = [
  'attention',
  'awaiting-payment',
  'to-dispatch',
  'in-transit',
  'delivered',
  'refunded',
  'cancelled',
] as const;
/** One of {@link orderGroups}. @public */
export type OrderGroup = (typeof orderGroups)[number];

/** An order in the answer of `GET /orders`. @public */
export interface ListedOrder extends Pick<OrderRow, 'orderId' | 'status' | 'step' | 'reason' | 'since'> {
  /** When the order was placed: ISO 8601. */
  readonly placedAt: string;
  /** True for an order under way that has made no progress for longer than its step can take. */
  readonly isStalled: boolean;
  /** Null unless the order has failed and a person has acknowledged that. */
  readonly acknowledgement: OrderAcknowledgement | null;
}

/** Who took note of the failure of an order, and why nothing more has to be done. @public */
export interface OrderAcknowledgement {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** Null where the request named nobody. */
  readonly by: string | null;
  readonly reason: string;
}

/** A number of orders; counting ends at {@link maxCountedOrders}. @public */
export interface OrderCount {
  readonly count: number;
  /** True when there are more than `count`. */
  readonly isCapped: boolean;
}

/** Where counting ends. @public */
export const maxCountedOrders = 10_000;

/** The answer of `GET /orders/counts`. @public */
export type OrderCounts = Readonly<Record<OrderGroup | 'all', OrderCount>>;

/** Orders on a page of `GET /orders` at most. @public */
export const maxListedOrders = 200;

/** An entry of `GET /orders/daily`. @public */
export interface OrderDay {
  /** The date, such as `2030-01-31`. */
  readonly day: string;
  /** How many orders were placed on it. */
  readonly placed: number;
}

/** Days of `GET /orders/daily` at most. @public */
export const maxOrderDays = 90;
