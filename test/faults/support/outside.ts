import { setMaxListeners } from 'node:events';
import type { PlatformSchema } from '@gantry/client/platform';
import { insist, type Answer, type Errand } from './http';
import type { Orders, Outcome } from './outcomes';

type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;

/** Where the world outside reaches the services; one address, or several. */
export interface Addresses {
  readonly order: string;
  readonly payment: string;
  readonly consignment: string;
  readonly ops: string;
}

/** Customers, a carrier and an operator, who want their requests done and ask again while the platform is unavailable. */
export interface Outside {
  place(orderId: string): Promise<void>;
  /** Does all that has to be done about these orders, each at its own pace. */
  drive(orders: Orders): Promise<void>;
  /** GET /workflows/{id}. @returns undefined for one that never was */
  detail(workflowId: string): Promise<WorkflowDetail | undefined>;
  /** How many orders run at this moment. */
  countOpen(): Promise<number>;
  /** Resolves as soon as the services answer this path of theirs with 200. */
  untilAnswered(path: '/readyz' | '/livez'): Promise<void>;
  /** Gives up what is still being tried. */
  close(): void;
}

/** @param where one address for all services, or one for each */
export function createOutside(where: string | Addresses): Outside {
  const closed = new AbortController();
  // Every order that waits listens.
  setMaxListeners(0, closed.signal);
  const addresses: Addresses =
    typeof where === 'string' ? { order: where, payment: where, consignment: where, ops: where } : where;
  const ask = (errand: Errand): Promise<Answer> => insist(errand, closed.signal);
  const place = async (orderId: string): Promise<void> => {
    await ask({ method: 'POST', url: `${addresses.order}/place-order`, body: { orderId }, done: [202] });
  };
  return {
    place,
    async drive(orders) {
      const driveOne = async ([orderId, outcome]: readonly [string, Outcome]): Promise<void> => {
        await place(orderId);
        await followUp({ ...addresses, ask }, orderId, outcome);
      };
      await Promise.all([...orders].map(driveOne));
    },
    async detail(workflowId) {
      const url = `${addresses.ops}/workflows/${workflowId}`;
      const { status, body } = await ask({ method: 'GET', url, done: [200, 404] });
      return status === 404 ? undefined : (body.data as WorkflowDetail);
    },
    async countOpen() {
      const url = `${addresses.ops}/workflows?status=RUNNING&type=placeOrder&limit=1000`;
      return ((await ask({ method: 'GET', url, done: [200] })).body.data as readonly unknown[]).length;
    },
    async untilAnswered(path) {
      const everywhere = [...new Set(Object.values(addresses) as string[])];
      await Promise.all(everywhere.map((address) => ask({ method: 'GET', url: `${address}${path}`, done: [200] })));
    },
    close: () => closed.abort(),
  };
}

interface Reach extends Addresses {
  readonly ask: (errand: Errand) => Promise<Answer>;
}

/** All that follows the placing. */
async function followUp(reach: Reach, orderId: string, outcome: Outcome): Promise<void> {
  if (outcome === 'unpaid') return;
  await reach.ask({ method: 'POST', url: `${reach.payment}/payment?orderId=${orderId}`, done: [202] });
  await (outcome === 'cancelled' ? cancel(reach, orderId) : deliver(reach, orderId, outcome));
}

async function deliver({ consignment, ask }: Reach, orderId: string, outcome: Outcome): Promise<void> {
  const parcel = `${consignment}/consignments/${orderId}`;
  if (outcome === 'undelivered' || outcome === 'refused') {
    await ask({ method: 'PUT', url: `${parcel}/delivery`, body: { delivered: false }, done: [200] });
  }
  await ask({ method: 'POST', url: `${parcel}/dispatched`, done: [202], doneBefore: [409], early: [404] });
  // A confirmation that comes after the time for it changes nothing.
  if (outcome === 'confirmed') await ask({ method: 'POST', url: `${parcel}/confirmed`, done: [202, 409] });
}

/** Once the parcel is being made ready. */
async function cancel({ ops, ask }: Reach, orderId: string): Promise<void> {
  await ask({ method: 'GET', url: `${ops}/workflows/consignment-${orderId}`, done: [200], early: [404] });
  const url = `${ops}/workflows/order-${orderId}/cancel`;
  await ask({ method: 'POST', url, body: { reason: 'changed my mind' }, done: [202], doneBefore: [409] });
}
