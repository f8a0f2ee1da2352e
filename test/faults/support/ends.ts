import { setTimeout as delay } from 'node:timers/promises';
import { expectedOf, type Orders, type Outcome } from './outcomes';
import type { Outside } from './outside';

/** How a workflow ended, from GET /workflows/{id}. */
interface WorkflowEnd {
  readonly status: string;
  /** Type and state of every activity, in the order scheduled. */
  readonly activities: readonly string[];
}

/** How an order ended. */
export interface End extends WorkflowEnd {
  /** Absent when there never was one. */
  readonly consignment?: WorkflowEnd;
}

const placed = 'sendOrderPlacedNotification completed';
const paid = [placed, 'sendPaymentCompletedNotification completed'];
const compensated = [...paid, 'refundPayment completed', 'sendOrderCancelledNotification completed'];
const checked: WorkflowEnd = { status: 'COMPLETED', activities: ['checkShipping completed'] };

const byOutcome: Readonly<Record<Outcome, End>> = {
  confirmed: { status: 'COMPLETED', activities: paid, consignment: checked },
  unconfirmed: { status: 'COMPLETED', activities: paid, consignment: checked },
  undelivered: { status: 'COMPLETED', activities: compensated, consignment: checked },
  unpaid: { status: 'COMPLETED', activities: [placed] },
  refused: { status: 'FAILED', activities: [...paid, 'refundPayment failed'], consignment: checked },
  cancelled: { status: 'CANCELED', activities: compensated, consignment: { status: 'CANCELED', activities: [] } },
};

export function expectedEnds(orders: Orders): Readonly<Record<string, End>> {
  return expectedOf(orders, byOutcome);
}

/** Questions at a time; more would be load that no operator makes. */
const lanes = 4;
const endTimeoutMs = 240_000;

/** How these orders ended, once all of them have. */
export async function endsOf(outside: Outside, orders: Orders): Promise<Readonly<Record<string, End>>> {
  const left = [...orders.keys()].toReversed();
  const ends: Record<string, End> = {};
  const ask = async (): Promise<void> => {
    for (let order = left.pop(); order !== undefined; order = left.pop()) ends[order] = await endOf(outside, order);
  };
  await Promise.all(Array.from({ length: lanes }, ask));
  return ends;
}

async function endOf(outside: Outside, order: string): Promise<End> {
  const parent = await untilEnded(outside, `order-${order}`);
  const consignment = await untilEnded(outside, `consignment-${order}`);
  if (parent === undefined) throw new Error(`There is no workflow of ${order}.`);
  return { ...parent, ...(consignment === undefined ? {} : { consignment }) };
}

async function untilEnded(outside: Outside, workflowId: string): Promise<WorkflowEnd | undefined> {
  const deadline = performance.now() + endTimeoutMs;
  for (;;) {
    const detail = await outside.detail(workflowId);
    if (detail === undefined) return undefined;
    if (detail.status !== 'RUNNING') {
      return { status: detail.status, activities: detail.activities.map(({ type, state }) => `${type} ${state}`) };
    }
    if (performance.now() > deadline) throw new Error(`${workflowId} does not end: ${JSON.stringify(detail)}`);
    await delay(500);
  }
}
