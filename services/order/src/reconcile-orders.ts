import { setTimeout } from 'node:timers/promises';
import {
  consignmentWorkflowId,
  operationStatuses,
  operationWorkflowId,
  orderOperations,
  orderWorkflowId,
  workflowTypes,
  type ConsignmentResult,
  type OrderOperation,
} from '@gantry/contracts';
import { callTemporal, isGantryError, isWorkflowNotFound, type PluginContext } from '@gantry/plugin-api';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { readNamespaceId } from './namespace-id';
import { decideOrder, readOrderFacts, type OpenConsignment, type OrderFinding } from './order-history';
import { createOrderRows, type OrderRows, type StoredOrder } from './order-rows';
import { startOperation } from './start-operation';

const intervalMs = 30_000;
/** Visibility lags; a workflow that closed shortly before a round may be listed only in the next one. */
const overlapMs = 120_000;
const pageSize = 500;
/** Histories that are read at a time, so that orders under way have the rest of Temporal. */
const lanes = 4;
/** A row that says the same for so long may be late. Every step is compared once. */
const lateAfterMs = 30_000;
/** The time of a row and that of the close differ by less when the workflow stored its end itself. */
const closeToleranceMs = 10_000;
/** Longer than a request may take that has begun an operation. */
const operationAgeSeconds = 15;

/** Compares the workflows of orders with their rows. */
export interface Reconciler {
  /** One round. @throws GantryError UNAVAILABLE; the next round then covers the same time */
  reconcile(): Promise<void>;
}

/**
 * Settles rows that are missing or late because PostgreSQL or a worker was not there, marks orders that need a decision
 * although their workflow could not say so (it was terminated, or began before steps were stored), and brings operations to
 * an end whose request or run was cut off. The first round looks at all that Temporal keeps, later ones at what runs and
 * what closed since. Several hosts may do the same: every write holds only for the state it was decided on.
 */
export function createReconciler({ database, temporal, logger, now, signal }: PluginContext): Reconciler {
  const rows = createOrderRows(database);
  /** Orders whose end could not be decided yet. */
  const undecided = new Set<string>();
  /** The step at which the row of an open order was last found to be right. */
  const compared = new Map<string, string>();
  let closedSince = new Date(0);
  const settle = async (namespaceId: string, orderId: string): Promise<void> => {
    const found = await callTemporal(temporal, (client: Client) => findOrder(client, orderId, now()));
    if (found === undefined) return;
    if (found.finding === undefined) undecided.add(orderId);
    else {
      undecided.delete(orderId);
      const { since, ...finding } = found.finding;
      await rows.settle({ orderId, runId: found.firstRunId, ...finding, since: since.toISOString() }, namespaceId);
    }
  };
  const settleAll = (namespaceId: string, orderIds: readonly string[]): Promise<void> =>
    inLanes(orderIds, signal, async (orderId) => {
      await settle(namespaceId, orderId);
      logger.debug({ orderId }, 'compared an order with its history');
    });
  const list = (query: string) => listOrders(query, (work) => callTemporal(temporal, work));

  const reconcileClosed = async (namespaceId: string): Promise<void> => {
    for await (const page of list(`CloseTime > '${closedSince.toISOString()}'`)) {
      const stored = await storedOrders(rows, namespaceId, page);
      const late = page.filter(({ orderId, closedAt }) => isLate(stored.get(orderId), closedAt));
      await settleAll(namespaceId, [...new Set(late.map(({ orderId }) => orderId))]);
      if (signal.aborted) return;
    }
  };
  const reconcileOpen = async (namespaceId: string): Promise<void> => {
    const open = new Set<string>();
    for await (const page of list(`ExecutionStatus = 'Running'`)) {
      const stored = await storedOrders(rows, namespaceId, page);
      const latest = now().getTime() - lateAfterMs;
      for (const { orderId } of page) open.add(orderId);
      const doubtful = page.flatMap(({ orderId }) => {
        const { since, step } = stored.get(orderId) ?? {};
        if (since == null) return orderId;
        return Date.parse(since) < latest && compared.get(orderId) !== `${step} ${since}` ? orderId : [];
      });
      await settleAll(namespaceId, doubtful);
      for (const orderId of doubtful) {
        const { since, step } = stored.get(orderId) ?? {};
        compared.set(orderId, `${step} ${since}`);
      }
      if (signal.aborted) return;
    }
    for (const orderId of compared.keys()) if (!open.has(orderId)) compared.delete(orderId);
  };
  const reconcileOperations = async (namespaceId: string): Promise<void> => {
    const operating = await rows.operating(namespaceId, operationAgeSeconds);
    await inLanes(operating, signal, (order) =>
      callTemporal(temporal, (client: Client) => resumeOperation(client, rows, order, now())),
    );
  };

  return {
    async reconcile() {
      const startedAt = now().getTime();
      const namespaceId = await callTemporal(temporal, readNamespaceId);
      await settleAll(namespaceId, [...undecided]);
      await reconcileOperations(namespaceId);
      await reconcileClosed(namespaceId);
      await reconcileOpen(namespaceId);
      if (!signal.aborted) closedSince = new Date(startedAt - overlapMs);
    },
  };
}

/** Reconciles every half minute, until the host stops. */
export async function reconcileOrders(context: PluginContext): Promise<void> {
  const { logger, signal } = context;
  const reconciler = createReconciler(context);
  while (!signal.aborted) {
    try {
      await reconciler.reconcile();
    } catch (error) {
      const isUnavailable = isGantryError(error) && error.code === 'UNAVAILABLE';
      logger[isUnavailable ? 'debug' : 'warn'](
        { err: error },
        'orders could not be compared with their rows; retrying',
      );
    }
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

interface ListedOrder {
  readonly orderId: string;
  readonly closedAt: number;
}

/** The order workflows that match a query, page by page; one that was reset is listed once for every run. */
async function* listOrders(
  query: string,
  call: <T>(work: (client: Client) => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly ListedOrder[]> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const answer = await call((client) =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        pageSize,
        nextPageToken,
        query: `WorkflowType = '${workflowTypes.placeOrder}' AND ${query}`,
      }),
    );
    yield answer.executions.flatMap(({ execution, closeTime }) => {
      const orderId = orderIdIn(execution?.workflowId ?? '');
      return orderId === undefined ? [] : { orderId, closedAt: Number(closeTime?.seconds ?? 0) * 1_000 };
    });
    ({ nextPageToken } = answer);
  } while (nextPageToken.length > 0);
}

/** Ids are free to choose for whoever starts a workflow of this type. */
function orderIdIn(workflowId: string): string | undefined {
  const prefix = orderWorkflowId('');
  return workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : undefined;
}

async function storedOrders(
  rows: OrderRows,
  namespaceId: string,
  page: readonly ListedOrder[],
): Promise<ReadonlyMap<string, StoredOrder>> {
  const orderIds = [...new Set(page.map(({ orderId }) => orderId))];
  const stored = orderIds.length === 0 ? [] : await rows.findMany(namespaceId, orderIds);
  return new Map(stored.map((row) => [row.orderId, row]));
}

/** Whether the row of an order that closed does not say so, or says what an earlier run said. */
function isLate(row: StoredOrder | undefined, closedAt: number): boolean {
  if (row?.since == null || row.status === null || row.status === 'OPEN') return true;
  return Date.parse(row.since) < closedAt - closeToleranceMs;
}

interface FoundOrder {
  readonly firstRunId: string;
  /** Undefined as long as it cannot be decided. */
  readonly finding: OrderFinding | undefined;
}

/** What Temporal says about an order, by its newest run. @returns undefined when it has forgotten it */
async function findOrder(client: Client, orderId: string, now: Date): Promise<FoundOrder | undefined> {
  const handle = client.workflow.getHandle(orderWorkflowId(orderId));
  const description = await unlessNotFound(handle.describe());
  if (description === undefined || description.type !== workflowTypes.placeOrder) return undefined;
  const firstRunId = description.raw.workflowExecutionInfo?.firstRunId || description.runId;
  const run = client.workflow.getHandle(orderWorkflowId(orderId), description.runId);
  return { firstRunId, finding: await readFinding(client, run, orderId, now) };
}

async function readFinding(
  client: Client,
  run: WorkflowHandle,
  orderId: string,
  now: Date,
): Promise<OrderFinding | undefined> {
  const facts = readOrderFacts(await run.fetchHistory());
  const isNeeded = facts.closing !== undefined && facts.isConsignmentOpen;
  return decideOrder(facts, isNeeded ? await consignmentOf(client, orderId) : undefined, now);
}

async function consignmentOf(client: Client, orderId: string): Promise<OpenConsignment> {
  const handle = client.workflow.getHandle(consignmentWorkflowId(orderId));
  const description = await unlessNotFound(handle.describe());
  if (description?.type !== workflowTypes.startConsignment) return undefined;
  if (description.status.name === 'RUNNING') return 'RUNNING';
  return description.status.name === 'COMPLETED' ? ((await handle.result()) as ConsignmentResult) : undefined;
}

/** Starts the workflow of an operation that was decided on, or stores how it ended. */
async function resumeOperation(client: Client, rows: OrderRows, order: StoredOrder, now: Date): Promise<void> {
  const operation = operationOf(order);
  const { orderId, namespaceId } = order;
  const handle = client.workflow.getHandle(operationWorkflowId(operation, orderId));
  const description = await unlessNotFound(handle.describe());
  if (description?.status.name === 'RUNNING') return;
  if (description === undefined || description.runId !== order.operation) {
    await startOperation(client, rows, order, operation);
    return;
  }
  const run = client.workflow.getHandle(handle.workflowId, description.runId);
  const facts = readOrderFacts(await run.fetchHistory());
  const consignment = facts.isConsignmentOpen ? await consignmentOf(client, orderId) : undefined;
  const finding = decideOrder({ ...facts, isPaid: true }, consignment, now);
  if (finding === undefined) return;
  const { status, reason } = finding;
  if (status !== 'DELIVERED' && status !== 'REFUNDED' && status !== 'NEEDS_DECISION') return;
  const end = { orderId, namespaceId, runId: description.runId, status, since: finding.since.toISOString() };
  await rows.finish(reason === undefined ? end : { ...end, reason });
}

function operationOf({ status }: StoredOrder): OrderOperation {
  return orderOperations.find((operation) => operationStatuses[operation] === status) ?? 'refund';
}

async function unlessNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}

/** Does the work for every value, a few at a time, until the signal aborts. */
async function inLanes<T>(values: readonly T[], signal: AbortSignal, work: (value: T) => Promise<void>): Promise<void> {
  const left = [...values].toReversed();
  const lane = async (): Promise<void> => {
    for (let value = left.pop(); value !== undefined && !signal.aborted; value = left.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
