import { request } from '../../api/request';

export interface PlacedOrder {
  readonly orderId: string;
  /** The order had been placed before; nothing was started. */
  readonly duplicate: boolean;
}

export async function placeOrder(orderId: string): Promise<PlacedOrder> {
  const { meta } = await request('/place-order', { method: 'POST', body: { orderId } });
  return { orderId, duplicate: meta['duplicate'] === true };
}

/** What the world outside tells about an order. */
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
