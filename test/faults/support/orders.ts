import { insist } from './http';

/** Where the world outside reaches the services; one address, or several. */
export interface Addresses {
  readonly order: string;
  readonly payment: string;
  readonly consignment: string;
  readonly ops: string;
}

/** The ways that an order can go. */
export const outcomes = ['confirmed', 'unconfirmed', 'undelivered', 'unpaid', 'refused', 'cancelled'] as const;
export type Outcome = (typeof outcomes)[number];

/** How the workflow of the order ends. */
export const statusOf: Readonly<Record<Outcome, string>> = {
  confirmed: 'COMPLETED',
  unconfirmed: 'COMPLETED',
  undelivered: 'COMPLETED',
  unpaid: 'COMPLETED',
  refused: 'FAILED',
  cancelled: 'CANCELED',
};

/** `count` order ids with outcomes in turn; the id tells the outcome. */
export function orderIds(prefix: string, count: number, among: readonly Outcome[] = outcomes): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}-${among[index % among.length] ?? 'unpaid'}`);
}

export function outcomeOf(orderId: string): Outcome {
  return outcomes.find((outcome) => orderId.endsWith(`-${outcome}`)) ?? 'unpaid';
}

/** Does all that the outside does about one order. @returns the status in which its workflow ended */
export async function drive(addresses: Addresses, orderId: string): Promise<string> {
  const outcome = outcomeOf(orderId);
  await insist('POST', `${addresses.order}/place-order`, { body: { orderId } });
  if (outcome !== 'unpaid') {
    await insist('POST', `${addresses.payment}/payment?orderId=${orderId}`);
    await deliver(addresses, orderId, outcome);
  }
  return endOf(addresses, orderId);
}

async function deliver({ consignment, ops }: Addresses, orderId: string, outcome: Outcome): Promise<void> {
  const parcel = `${consignment}/consignments/${orderId}`;
  if (outcome === 'undelivered' || outcome === 'refused') {
    await insist('PUT', `${parcel}/delivery`, { body: { delivered: false } });
  }
  if (outcome === 'cancelled') {
    await insist('GET', `${ops}/workflows/consignment-${orderId}`, { until: ({ status }) => status === 200 });
    // Asked again after a crash, it may have ended already.
    await insist('POST', `${ops}/workflows/order-${orderId}/cancel`, { body: { reason: 'changed my mind' } });
    return;
  }
  const delivered = { until: ({ status }: { readonly status: number }) => status === 202 || status === 409 };
  await insist('POST', `${parcel}/dispatched`, delivered);
  if (outcome === 'confirmed') await insist('POST', `${parcel}/confirmed`, delivered);
}

async function endOf({ ops }: Addresses, orderId: string): Promise<string> {
  const { body } = await insist('GET', `${ops}/workflows/order-${orderId}`, {
    until: (answer) => answer.status === 200 && (answer.body.data as { status: string }).status !== 'RUNNING',
  });
  return (body.data as { readonly status: string }).status;
}
