import type {
  ListedOrder,
  OrderCounts,
  OrderDay,
  OrderGroup,
  OrderOperation,
  OrderRow,
  OrderRowStep,
  OrderStatus,
  SettlementOutcome,
} from '@gantry/contracts';
import type { Item } from '../../api/items';
import { request } from '../../api/request';
import type { AuditNote } from './workflows';

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
export type StoredOrder = Pick<ListedOrder, 'orderId' | 'status' | 'step' | 'reason' | 'since' | 'acknowledgement'> & {
  /** When it was placed: ISO 8601. */
  readonly placed: unknown;
};

/** By the time when orders reached their step; `-since` is the latest first. */
export type OrderSort = 'since' | '-since';

/** The query of `GET /orders`. */
export interface OrderListRequest {
  readonly group?: OrderGroup | undefined;
  readonly status?: OrderStatus | undefined;
  readonly step?: OrderRowStep | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly orderId?: string | undefined;
  readonly sort: OrderSort;
  readonly limit: number;
  readonly after?: string | undefined;
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[];
  readonly nextCursor: string | undefined;
}

export async function listOrders(wanted: OrderListRequest, signal?: AbortSignal): Promise<OrderPage> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, String(value));
  const { data, meta } = await request<readonly ListedOrder[]>(
    `/orders?${query}`,
    signal === undefined ? {} : { signal },
  );
  const { nextCursor } = meta;
  return { orders: data, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
}

export async function countOrders(signal?: AbortSignal): Promise<OrderCounts> {
  return (await request<OrderCounts>('/orders/counts', signal === undefined ? {} : { signal })).data;
}

/** Orders that were placed on each of the last 14 days of the reader's time zone. */
export async function countOrdersByDay(signal?: AbortSignal): Promise<readonly OrderDay[]> {
  const query = new URLSearchParams({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  return (await request<readonly OrderDay[]>(`/orders/daily?${query}`, signal === undefined ? {} : { signal })).data;
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
  await request(`/orders/${encodeURIComponent(orderId)}/${operation}`, { method: 'POST', body: note });
}

/** Stores that such an order was settled outside of the platform. */
export async function settleOrder(orderId: string, outcome: SettlementOutcome, note: AuditNote): Promise<void> {
  const body = { outcome, ...note };
  await request(`/orders/${encodeURIComponent(orderId)}/settlement`, { method: 'POST', body });
}

/** Takes note that an order has failed: it no longer needs attention. */
export async function acknowledgeOrder(orderId: string, note: AuditNote): Promise<void> {
  await request(`/orders/${encodeURIComponent(orderId)}/acknowledgement`, { method: 'POST', body: note });
}
