import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  consignmentWorkflowId,
  orderWorkflowId,
  queryNames,
  taskQueues,
  workflowTypes,
  type ConsignmentState,
  type ConsignmentStep,
  type OrderState,
  type OrderStep,
  type PlaceOrder,
  type SignalName,
} from '@gantry/contracts';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { eventually } from '../../support/eventually';
import { startLocalTemporal } from '../../support/local-temporal';
import { findTemporalTestServer } from '../../support/temporal-binaries';
import { installRuntime } from './install-runtime';
import { createScriptedActivities, type ScriptedActivities } from './scripted-activities';
import { readWorkflowCode } from './workflow-code';

/** Names no machine or process, because histories keep it. */
const identity = 'gantry-tests';

/** The workflows of the order services, as built, on a server that skips time while a result is awaited. */
export interface OrderEnvironment {
  readonly temporal: TestWorkflowEnvironment;
  readonly activities: ScriptedActivities;
  /** Starts the worker of a service unless it runs. @param bundle replaces the one of its workflows */
  startWorker(service: Service, bundle?: string): Promise<void>;
  stopWorker(service: Service): Promise<void>;
  /** From now on, the worker keeps so many order workflows, see {@link OrderEnvironmentOptions}. */
  cacheOrders(count: number): Promise<void>;
  placeOrder(orderId: string): Promise<WorkflowHandleWithFirstExecutionRunId<PlaceOrder>>;
  signalOrder(orderId: string, signal: SignalName): Promise<void>;
  signalConsignment(orderId: string, signal: SignalName): Promise<void>;
  /**
   * Cancels an order that waits for its consignment, and resolves when the consignment has ended. Until then no result may be
   * awaited: the server skips time as soon as the task of the order is done, before the cancellation reaches the consignment,
   * and loses a task that cancels a timer which has fired meanwhile (temporalio/sdk-java#3088).
   */
  cancelPaidOrder(orderId: string): Promise<void>;
  /** Resolves as soon as the order is at the step. */
  orderAt(orderId: string, step: OrderStep): Promise<OrderState>;
  /** Resolves as soon as the consignment is at the step. */
  consignmentAt(orderId: string, step: ConsignmentStep): Promise<ConsignmentState>;
  close(): Promise<void>;
}

export interface OrderEnvironmentOptions {
  /** `time-skipping` unless given; `local` has lists, resets and real time. */
  readonly server?: 'time-skipping' | 'local';
  /** Replaces the bundle of the order workflows. */
  readonly orderBundle?: string;
  /** Replaces the bundle of the consignment workflow, whose two minutes are real on a local server. */
  readonly consignmentBundle?: string;
  /**
   * How many order workflows the worker keeps; 100 unless given. With 0, as other workers have it, every task replays its
   * history: any worker may take it, and code that is not deterministic shows. But then only one order may be under way at a
   * time, because the SDK gives up a task with a local activity when it needs the room for another workflow.
   */
  readonly cachedOrders?: number;
  /** Services whose worker is not started. */
  readonly missing?: readonly Service[];
}

export async function createOrderEnvironment(options: OrderEnvironmentOptions = {}): Promise<OrderEnvironment> {
  await installRuntime('ERROR');
  const temporal = await startServer(options.server ?? 'time-skipping');
  const activities = createScriptedActivities();
  const workers = await startWorkers(temporal, activities, options);
  const { workflow } = temporal.client;
  return {
    temporal,
    activities,
    startWorker: workers.start,
    stopWorker: workers.stop,
    cacheOrders: workers.cacheOrders,
    placeOrder: (orderId) =>
      workflow.start<PlaceOrder>(workflowTypes.placeOrder, {
        workflowId: orderWorkflowId(orderId),
        taskQueue: taskQueues.order,
        args: [{ orderId }],
      }),
    signalOrder: (orderId, signal) => workflow.getHandle(orderWorkflowId(orderId)).signal(signal),
    signalConsignment: (orderId, signal) => workflow.getHandle(consignmentWorkflowId(orderId)).signal(signal),
    async cancelPaidOrder(orderId) {
      await workflow.getHandle(orderWorkflowId(orderId)).cancel();
      const consignment = workflow.getHandle(consignmentWorkflowId(orderId));
      await eventually(async () => (await consignment.describe()).status.name !== 'RUNNING');
    },
    orderAt: (orderId, step) =>
      stateAt(temporal, step, {
        query: () => workflow.getHandle(orderWorkflowId(orderId)).query(queryNames.orderState),
        isLikely: () => hasStored(activities, orderId, step),
      }),
    consignmentAt: (orderId, step) =>
      stateAt(temporal, step, {
        query: () => workflow.getHandle(consignmentWorkflowId(orderId)).query(queryNames.consignmentState),
        isLikely: () => hasStored(activities, orderId, 'WAITING_FOR_CHILD'),
      }),
    async close() {
      await workers.close();
      await temporal.teardown();
    },
  };
}

/** One for all suites of a file, each of which has orders with other ids. */
export function useOrderEnvironment(options: OrderEnvironmentOptions = {}): () => OrderEnvironment {
  let environment: OrderEnvironment | undefined;
  beforeAll(async () => {
    environment = await createOrderEnvironment(options);
  });
  afterAll(() => environment?.close());
  return () => {
    if (environment === undefined) throw new Error('The environment is only known while tests run.');
    return environment;
  };
}

async function startServer(kind: 'time-skipping' | 'local'): Promise<TestWorkflowEnvironment> {
  if (kind === 'local') return startLocalTemporal({ client: { identity } });
  const path = await findTemporalTestServer();
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
    client: { identity },
  });
}

type Service = keyof typeof taskQueues;

/** Orders of a test are few; ten polls of each kind, as by default, take the server and the worker more time than their tasks. */
const fewPolls = { maxConcurrentWorkflowTaskPolls: 2, maxConcurrentActivityTaskPolls: 2 };

interface Workers {
  readonly start: (service: Service, bundle?: string) => Promise<void>;
  readonly stop: (service: Service) => Promise<void>;
  readonly cacheOrders: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function startWorkers(
  temporal: TestWorkflowEnvironment,
  activities: ScriptedActivities,
  options: OrderEnvironmentOptions,
): Promise<Workers> {
  const {
    orderBundle = workflowBundle('order'),
    consignmentBundle = workflowBundle('consignment'),
    missing = [],
  } = options;
  let { cachedOrders = 100 } = options;
  const workerOptions: Readonly<Record<Service, Partial<WorkerOptions>>> = {
    order: { activities: { ...activities.order } },
    email: { activities: { ...activities.email } },
    payment: { activities: { ...activities.payment } },
    consignment: { activities: { ...activities.shipping } },
  };
  const bundles: Readonly<Partial<Record<Service, string>>> = { order: orderBundle, consignment: consignmentBundle };
  const running = new Map<Service, { readonly worker: Worker; readonly ended: Promise<void> }>();

  async function start(service: Service, bundle = bundles[service]): Promise<void> {
    if (running.has(service)) return;
    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      identity,
      taskQueue: taskQueues[service],
      ...fewPolls,
      maxCachedWorkflows: service === 'order' ? cachedOrders : 0,
      ...workerOptions[service],
      ...(bundle === undefined ? {} : { workflowBundle: await readWorkflowCode(bundle) }),
    });
    running.set(service, { worker, ended: worker.run() });
  }
  async function stop(service: Service): Promise<void> {
    const entry = running.get(service);
    running.delete(service);
    entry?.worker.shutdown();
    await entry?.ended;
  }
  const services = (Object.keys(workerOptions) as Service[]).filter((service) => !missing.includes(service));
  await Promise.all(services.map((service) => start(service)));
  return {
    start,
    stop,
    async cacheOrders(count) {
      if (count === cachedOrders) return;
      cachedOrders = count;
      await stop('order');
      await start('order');
    },
    close: async () => {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}

/** The bundle of a service as the last build made it. */
export function workflowBundle(service: 'order' | 'consignment'): string {
  return join(__dirname, '..', '..', '..', 'services', service, 'dist', 'workflow-bundle.js');
}

function hasStored(activities: ScriptedActivities, orderId: string, step: OrderStep): boolean {
  return activities.stored(orderId).some((entry) => entry.startsWith(`${step} `));
}

interface StateQuery<S> {
  readonly query: () => Promise<S>;
  /** Costs nothing. Until it holds, only every few rounds ask. */
  readonly isLikely: () => boolean;
}

/** Asks until the workflow is there and at the step; a question that no worker answers is asked again. */
async function stateAt<S extends { readonly step: string }>(
  { client }: TestWorkflowEnvironment,
  step: S['step'],
  { query, isLikely }: StateQuery<S>,
): Promise<S> {
  const deadline = Date.now() + 60_000;
  let found = 'nothing';
  for (let round = 1; Date.now() < deadline; round += 1) {
    if (isLikely() || round % 10 === 0) {
      const state = await client.withDeadline(Date.now() + 5_000, query).catch((error: unknown) => String(error));
      if (typeof state !== 'string' && state.step === step) return state;
      found = typeof state === 'string' ? state : state.step;
    }
    await setTimeout(20);
  }
  throw new Error(`Expected the workflow to reach ${step} within a minute, found ${found}.`);
}
