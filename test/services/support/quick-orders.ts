import type { OrderActivities } from '@gantry/contracts';
import order from '@gantry/service-order';
import { eventually } from '../../support/eventually';
import {
  createOrderEnvironment,
  type OrderEnvironment,
  type OrderEnvironmentOptions,
} from '../../workflows/support/order-environment';
import { openServices, type OpenServices } from './open-services';
import { hasNoRow } from './ops-view';
import { bundleQuickConsignment } from './quick-consignment';

/** Orders on a real Temporal whose consignments do not wait, and whose rows are stored by the order service. */
export interface QuickOrders {
  readonly environment: OrderEnvironment;
  readonly services: OpenServices;
  /** As Temporal names it, for example `RUNNING`. */
  statusOf(workflowId: string): Promise<string>;
  untilClosed(workflowId: string): Promise<void>;
  /** Lets the next calls of Temporal by routes pass, and holds those after them, each so many; all others pass. */
  holdCalls(passing: number, held: number): HeldCalls;
  /** Starts what the order service does besides requests, once; it compares all orders, and continues until the end. */
  startBackground(): Promise<void>;
  close(): Promise<void>;
}

export interface HeldCalls {
  /** Resolves when all of them are held. */
  readonly held: Promise<void>;
  release(): void;
}

async function openQuickOrders(options: Pick<OrderEnvironmentOptions, 'missing'> = {}): Promise<QuickOrders> {
  const consignment = await bundleQuickConsignment();
  const environment = await createOrderEnvironment({
    ...options,
    server: 'local',
    consignmentBundle: consignment.bundle,
  });
  const gate = createGate();
  const client = async <T>(): Promise<T> => {
    await gate.pass();
    return environment.temporal.client as T;
  };
  const services = await openServices({
    temporal: { namespace: 'default', client },
    environment: { TEMPORAL_UI_ADDRESS: 'https://temporal.example/' },
  });
  environment.activities.storeWith(services.activities<OrderActivities>('order'), (orderId) => !hasNoRow(orderId));
  const stopped = new AbortController();
  let background: Promise<void> | undefined;
  const statusOf = async (workflowId: string): Promise<string> =>
    (await environment.temporal.client.workflow.getHandle(workflowId).describe()).status.name;
  return {
    environment,
    services,
    statusOf,
    untilClosed: (workflowId) =>
      eventually(async () => (await statusOf(workflowId)) !== 'RUNNING', `${workflowId} is closed`),
    holdCalls: gate.hold,
    startBackground: () =>
      (background ??= Promise.resolve(order.start?.({ ...services.context('order'), signal: stopped.signal }))),
    async close() {
      stopped.abort();
      await environment.close();
      await services.close();
      await consignment.remove();
    },
  };
}

function createGate() {
  let calls:
    | { passing: number; toHold: number; readonly onHeld: () => void; readonly released: Promise<void> }
    | undefined;
  return {
    async pass(): Promise<void> {
      const current = calls;
      if (current === undefined) return;
      if (current.passing > 0) {
        current.passing -= 1;
        return;
      }
      current.toHold -= 1;
      if (current.toHold === 0) {
        calls = undefined;
        current.onHeld();
      }
      await current.released;
    },
    hold(passing: number, toHold: number): HeldCalls {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const held = new Promise<void>((resolve) => {
        calls = { passing, toHold, onHeld: resolve, released };
      });
      return { held, release };
    },
  };
}

/** The same for all suites of a file, each of which has orders with other ids. */
export function useQuickOrders(options: Pick<OrderEnvironmentOptions, 'missing'> = {}): () => QuickOrders {
  let opened: QuickOrders | undefined;
  beforeAll(async () => {
    opened = await openQuickOrders(options);
  });
  afterAll(() => opened?.close());
  return () => {
    if (opened === undefined) throw new Error('The orders are only known while tests run.');
    return opened;
  };
}
