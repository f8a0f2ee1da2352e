/**
 * Groups of orders by what they wait for or how they ended. `attention`: needs a decision, has failed and
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

/** Where counting ends. @public */
export const maxCountedOrders = 10_000;

/** Orders on a page of `GET /orders` at most. @public */
export const maxListedOrders = 200;

/** Days of `GET /orders/daily` at most. @public */
export const maxOrderDays = 90;
