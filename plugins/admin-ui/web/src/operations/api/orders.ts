import type { OrderOperation, OrderRow, OrderStatus, SettlementOutcome } from '@gantry/contracts';
import { listItems, type Item } from '../../api/items';
import { request } from '../../api/request';
import type { Asked } from './workflows';

export interface PlacedOrder {
  readonly orderId: string;
  /** The order had been placed before; nothing was started. */
  readonly duplicate: boolean;
}

export async function placeOrder(orderId: string): Promise<PlacedOrder> {
  const { meta } = await request('/place-order', { method: 'POST', body: { orderId } });
  return { orderId, duplicate: meta['duplicate'] === true };
}

/** Reports from outside about an order. */
export type OrderReport = 'pay' | 'dispatch' | 'delivered' | 'undelivered' | 'confirm';

export async function reportOrder(orderId: string, report: OrderReport): Promise<void> {
  const id = encodeURIComponent(orderId);
  switch (report) {
    case 'pay':
      await request(`/payment?orderId=${id}`, { method: 'POST' });
      return;
    case 'dispatch':
      await request(`/consignments/${id}/dispatched`, { method: 'POST' });
      return;
    case 'confirm':
      await request(`/consignments/${id}/confirmed`, { method: 'POST' });
      return;
    case 'delivered':
    case 'undelivered':
      await request(`/consignments/${id}/delivery`, { method: 'PUT', body: { delivered: report === 'delivered' } });
      return;
  }
}

/** An order as its service stores it; what Temporal knows of it is not needed. */
export type StoredOrder = Pick<OrderRow, 'orderId' | 'status' | 'reason' | 'since'> & {
  /** When it was placed: ISO 8601. */
  readonly placed: unknown;
};

export interface OrderListRequest {
  readonly status?: OrderStatus;
  readonly limit: number;
}

export interface OrderList {
  readonly orders: readonly StoredOrder[];
  /** There are more than were asked for. */
  readonly cut: boolean;
}

/** The newest first. */
export async function listOrders({ status, limit }: OrderListRequest, signal?: AbortSignal): Promise<OrderList> {
  const criteria = status === undefined ? [] : [{ field: 'status', operator: 'EQUALS', value: status } as const];
  const { items, nextCursor } = await listItems('order', { criteria, limit, sort: '-id' }, signal);
  return { orders: items.map(storedOrder), cut: nextCursor !== undefined };
}

export function storedOrder({ values }: Item): StoredOrder {
  const { orderId, status, reason, since } = values as Partial<OrderRow>;
  return {
    orderId: orderId ?? '',
    status: status ?? null,
    reason: reason ?? null,
    since: since ?? null,
    placed: values['createdAt'],
  };
}

/** Decides about an order that was paid, and neither delivered nor refunded. */
export async function decideOrder(orderId: string, operation: OrderOperation, asked: Asked): Promise<void> {
  await request(`/orders/${encodeURIComponent(orderId)}/${operation}`, { method: 'POST', body: asked });
}

/** Stores that such an order was settled outside of the platform. */
export async function settleOrder(orderId: string, outcome: SettlementOutcome, asked: Asked): Promise<void> {
  const body = { outcome, ...asked };
  await request(`/orders/${encodeURIComponent(orderId)}/settlement`, { method: 'POST', body });
}
