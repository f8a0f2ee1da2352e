import { setTimeout } from 'node:timers/promises';
import { callTemporal, isGantryError, type PluginContext } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { resumeOperation, settleOrder } from './find-order';
import { listOrders, type ListedOrder } from './list-orders';
import { readNamespaceId } from './namespace-id';
import { createOrderRows, type OrderRows, type StoredOrder } from './order-rows';

const intervalMs = 30_000;
/** Visibility lags; a workflow that closed shortly before a round may be listed only in the next one. */
const overlapMs = 120_000;
/** Histories that are read at a time, so that orders under way have the rest of Temporal. */
const lanes = 4;
/** A row that says the same for so long may be late. Every step is compared once. */
const lateAfterMs = 30_000;
/** The time of a row and that of the close differ by less when the workflow stored its end itself. */
const closeToleranceMs = 10_000;
/** Longer than a request may take that has let an operation begin. */
const operationAgeSeconds = 15;

/**
 * Compares the workflows of orders with their rows every half minute, until the host stops. It settles rows that are missing
 * or late because PostgreSQL or a worker could not be reached, marks orders that need a decision although their workflow
 * could not record that (it was terminated or deleted, or started before steps were stored), and completes operations whose request or
 * run was interrupted. The first round looks at all that Temporal keeps, later ones at what runs and what closed since. Several
 * hosts may do the same: every write holds only for the state that it was decided on.
 */
export async function reconcileOrders(context: PluginContext): Promise<void> {
  const { logger, signal } = context;
  const reconciler = createReconciler(context);
  while (!signal.aborted) {
    try {
      await reconcile(reconciler);
    } catch (error) {
      // The next round covers the same time.
      const isUnavailable = isGantryError(error) && error.code === 'UNAVAILABLE';
      logger[isUnavailable ? 'debug' : 'warn']({ err: error }, 'orders could not be compared with their rows yet');
    }
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** What is remembered from round to round. */
interface Reconciler {
  readonly context: PluginContext;
  readonly rows: OrderRows;
  /** Orders whose end could not be decided yet. */
  readonly undecided: Set<string>;
  /** What the row of an open order said when it was last compared. */
  readonly compared: Map<string, string>;
  closedSince: Date;
}

function createReconciler(context: PluginContext): Reconciler {
  const rows = createOrderRows(context);
  return { context, rows, undecided: new Set(), compared: new Map(), closedSince: new Date(0) };
}

/** @throws GantryError UNAVAILABLE */
async function reconcile(reconciler: Reconciler): Promise<void> {
  const { temporal, now, signal } = reconciler.context;
  const startedAt = now().getTime();
  const namespaceId = await callTemporal(temporal, readNamespaceId);
  await settle(reconciler, namespaceId, [...reconciler.undecided]);
  await reconcileOperations(reconciler, namespaceId);
  await reconcileClosed(reconciler, namespaceId);
  await reconcileOpen(reconciler, namespaceId);
  if (!signal.aborted) reconciler.closedSince = new Date(startedAt - overlapMs);
}

async function reconcileOperations({ context, rows }: Reconciler, namespaceId: string): Promise<void> {
  const { temporal, now, signal } = context;
  const operating = await rows.operating(namespaceId, operationAgeSeconds);
  await inLanes(operating, signal, (order) =>
    unlessFailed(context, order.orderId, async () => {
      await callTemporal(temporal, (client: Client) => resumeOperation(client, rows, order, now()));
    }),
  );
}

async function reconcileClosed(reconciler: Reconciler, namespaceId: string): Promise<void> {
  const { temporal, signal } = reconciler.context;
  for await (const page of listOrders(temporal, `CloseTime > '${reconciler.closedSince.toISOString()}'`)) {
    const stored = await storedOrders(reconciler.rows, namespaceId, page);
    const late = page.filter(({ orderId, closedAt }) => isLate(stored.get(orderId), closedAt));
    await settle(reconciler, namespaceId, [...new Set(late.map(({ orderId }) => orderId))]);
    if (signal.aborted) return;
  }
}

/** Whether the row of a closed order is out of date: still open, or from an earlier run. */
function isLate(row: StoredOrder | undefined, closedAt: number): boolean {
  if (row?.since == null || row.status === null || row.status === 'OPEN') return true;
  return Date.parse(row.since) < closedAt - closeToleranceMs;
}

async function reconcileOpen(reconciler: Reconciler, namespaceId: string): Promise<void> {
  const { compared, context, rows } = reconciler;
  const open = new Set<string>();
  for await (const page of listOrders(context.temporal, `ExecutionStatus = 'Running'`)) {
    const stored = await storedOrders(rows, namespaceId, page);
    const lateBefore = context.now().getTime() - lateAfterMs;
    const doubtful = page.filter(({ orderId }) => {
      const { since } = stored.get(orderId) ?? {};
      if (since == null) return true;
      return Date.parse(since) < lateBefore && compared.get(orderId) !== since;
    });
    for (const { orderId } of page) open.add(orderId);
    await settle(
      reconciler,
      namespaceId,
      doubtful.map(({ orderId }) => orderId),
    );
    for (const { orderId } of doubtful) compared.set(orderId, stored.get(orderId)?.since ?? '');
    if (context.signal.aborted) return;
  }
  for (const orderId of compared.keys()) if (!open.has(orderId)) compared.delete(orderId);
  const unlisted = await rows.openExcept(namespaceId, [...open], context.now());
  await settle(
    reconciler,
    namespaceId,
    unlisted.map(({ orderId }) => orderId),
  );
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

/** Decides by description and history of each order, never by the list that it was found in. */
async function settle(reconciler: Reconciler, namespaceId: string, orderIds: readonly string[]): Promise<void> {
  const { context, rows, undecided } = reconciler;
  const { temporal, now, signal } = context;
  await inLanes(orderIds, signal, async (orderId) => {
    const order = { orderId, namespaceId };
    // One that fails is looked at again in the next round.
    undecided.add(orderId);
    await unlessFailed(context, orderId, async () => {
      const settled = await callTemporal(temporal, (client: Client) => settleOrder(client, rows, order, now()));
      if (settled !== 'undecided') undecided.delete(orderId);
    });
  });
}

/** An order that cannot be compared keeps none of the others from it. @throws GantryError UNAVAILABLE */
async function unlessFailed({ logger }: PluginContext, orderId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isGantryError(error) && error.code === 'UNAVAILABLE') throw error;
    logger.warn({ err: error, orderId }, 'an order could not be compared with its row');
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
