import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import type { OrderOperation, OrderRow, SettlementOutcome } from '@gantry/contracts';
import { callPlatform } from '../../api/platform/call-platform';
import type { Item } from '../../api/items';
import type { AuditNote } from './workflows';

export type ListedOrder = PlatformSchema<'order.ListedOrder'>;
export type OrderCounts = PlatformSchema<'order.OrderCounts'>;
export type OrderCount = PlatformSchema<'order.OrderCount'>;
export type OrderDay = PlatformSchema<'order.OrderDay'>;

export interface PlacedOrder {
  readonly orderId: string;
  /** The order had been placed before; nothing was started. */
  readonly duplicate: boolean;
}

export async function placeOrder(orderId: string): Promise<PlacedOrder> {
  const { meta } = await callPlatform('POST', '/place-order', { body: { orderId } });
  return { orderId, duplicate: meta?.duplicate === true };
}

/** Reports from outside about an order. */
export type OrderReport = 'pay' | 'dispatch' | 'delivered' | 'undelivered' | 'confirm';

export async function reportOrder(orderId: string, report: OrderReport): Promise<void> {
  const path = { orderId };
  switch (report) {
    case 'pay':
      await callPlatform('POST', '/payment', { query: path });
      return;
    case 'dispatch':
      await callPlatform('POST', '/consignments/{orderId}/dispatched', { path });
      return;
    case 'confirm':
      await callPlatform('POST', '/consignments/{orderId}/confirmed', { path });
      return;
    case 'delivered':
    case 'undelivered':
      await callPlatform('PUT', '/consignments/{orderId}/delivery', {
        path,
        body: { delivered: report === 'delivered' },
      });
      return;
  }
}

/** An order as its service stores it; what Temporal knows of it is not needed. */
export type StoredOrder = Pick<ListedOrder, 'orderId' | 'status' | 'step' | 'reason' | 'since' | 'acknowledgement'> & {
  /** When it was placed: ISO 8601. */
  readonly placed: unknown;
};

type ListQuery = NonNullable<PlatformRequest<'GET', '/orders'>['query']>;

/** Which orders a page shows. */
export interface OrderListRequest extends Omit<ListQuery, 'limit'> {
  readonly limit: number;
}

/** By the time when orders reached their step; `-since` is the latest first. */
export type OrderSort = NonNullable<ListQuery['sort']>;

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly nextCursor: string | undefined;
}

export async function listOrders(wanted: OrderListRequest, signal?: AbortSignal): Promise<OrderPage> {
  const query = { ...wanted, limit: String(wanted.limit) };
  const { data, meta } = await callPlatform('GET', '/orders', { query }, signal);
  return { orders: data, nextCursor: meta?.nextCursor };
}

export async function countOrders(signal?: AbortSignal): Promise<OrderCounts> {
  return (await callPlatform('GET', '/orders/counts', {}, signal)).data;
}

/** Orders that were placed on each of the last 14 days of the reader's time zone. */
export async function countOrdersByDay(signal?: AbortSignal): Promise<readonly OrderDay[]> {
  const query = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return (await callPlatform('GET', '/orders/daily', { query }, signal)).data;
}

export function storedOrder({ values }: Item): StoredOrder {
  const row = values as Partial<OrderRow>;
  const { orderId, status, step, reason, since, acknowledgedAt, acknowledgedBy, acknowledgedReason } = row;
  return {
    orderId: orderId ?? '',
    status: status ?? null,
    step: step ?? null,
    reason: reason ?? null,
    since: since ?? null,
    acknowledgement:
      acknowledgedAt == null
        ? null
        : { at: acknowledgedAt, by: acknowledgedBy ?? null, reason: acknowledgedReason ?? '' },
    placed: values['createdAt'],
  };
}

/** Decides about an order that was paid, and neither delivered nor refunded. */
export async function decideOrder(orderId: string, operation: OrderOperation, note: AuditNote): Promise<void> {
  await callPlatform('POST', `/orders/{orderId}/${operation}`, { path: { orderId }, body: note });
}

/** Stores that such an order was settled outside of the platform. */
export async function settleOrder(orderId: string, outcome: SettlementOutcome, note: AuditNote): Promise<void> {
  await callPlatform('POST', '/orders/{orderId}/settlement', { path: { orderId }, body: { outcome, ...note } });
}

/** Takes note that an order has failed: it no longer needs attention. */
export async function acknowledgeOrder(orderId: string, note: AuditNote): Promise<void> {
  await callPlatform('POST', '/orders/{orderId}/acknowledgement', { path: { orderId }, body: note });
}
