import { setTimeout } from 'node:timers/promises';
import { callTemporal, isGantryError, type PluginContext, isWorkflowNotFound } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { resumeOperation, settleOrder } from './find-order';
import { forEachOrder } from './for-each-order';
import { listRuns, type ListedRun } from './list-runs';
import { readNamespaceId } from '../namespace-id';
import { createOrderRows, type OrderRows, type StoredOrder, isWaitingForDispatch } from '../order-rows';
import { consignmentWorkflowId, dispatchedMarker, signalNames } from '@gantry/contracts';
import { dateOf } from './order-history';

const intervalMs = 3_000;
/** Milliseconds between two comparisons of all orders with their rows. */
const comparisonIntervalMs = 30_000;
/** Visibility lags; a workflow that closed shortly before a comparison may be listed only in the next one. */
const overlapMs = 120_000;
/** A row that says the same for so long may be late. Every step is compared once. */
const lateAfterMs = 30_000;
/** The time of a row and that of the close differ by less when the workflow stored its end itself. */
const closeToleranceMs = 10_000;
/** Longer than a request may take that has let an operation begin. */
const operationAgeSeconds = 15;

/**
 * Keeps the rows of orders in step with Temporal until the host stops: stores dispatches every few seconds, and compares all
 * orders with their rows every half minute. The comparison settles rows that are missing or late because PostgreSQL or a worker
 * could not be reached, marks orders that need a decision although their workflow could not record that (it was terminated or
 * deleted, or started before steps were stored), and completes operations whose request or run was interrupted. The first one
 * looks at all that Temporal keeps, later ones at what runs and what closed since. Several hosts may do the same: every write
 * holds only for the state that it was decided on.
 */
export async function reconcileOrders(context: PluginContext): Promise<void> {
  const { temporal, logger, signal } = context;
  const rows = createOrderRows(context);
  const reconciler = {
    context,
    rows,
    undecided: new Set<string>(),
    compared: new Set<string>(),
    closedSince: new Date(0),
  };
  let comparedAt = -comparisonIntervalMs;
  while (!signal.aborted) {
    try {
      const namespaceId = await callTemporal(temporal, readNamespaceId);
      if (performance.now() - comparedAt >= comparisonIntervalMs) {
        await compareAll(reconciler, namespaceId);
        comparedAt = performance.now();
      }
      await storeDispatches(context, rows, namespaceId);
    } catch (error) {
      // The next round covers the same time.
      const isUnavailable = isGantryError(error) && error.code === 'UNAVAILABLE';
      logger[isUnavailable ? 'debug' : 'warn']({ err: error }, 'orders could not be compared with their rows yet');
    }
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** The memory from one comparison to the next. */
interface Reconciler {
  readonly context: PluginContext;
  readonly rows: OrderRows;
  /** Orders whose end could not be decided yet. */
  readonly undecided: Set<string>;
  /** The runs and rows that were compared, as {@link stateOf} writes them. */
  compared: ReadonlySet<string>;
  closedSince: Date;
}

/** @throws GantryError UNAVAILABLE */
async function compareAll(reconciler: Reconciler, namespaceId: string): Promise<void> {
  const { context, rows, undecided } = reconciler;
  const { temporal, now, signal } = context;
  const startedAt = now().getTime();
  await settle(reconciler, namespaceId, [...undecided]);
  await reconcileOperations(reconciler, namespaceId);
  const open = new Set<string>();
  const compared = new Set<string>();
  const listed = `(ExecutionStatus = 'Running' OR CloseTime > '${reconciler.closedSince.toISOString()}')`;
  for await (const page of listRuns(temporal, 'placeOrder', listed)) {
    const orderIds = page.map(({ orderId }) => orderId);
    const stored = new Map((await rows.findMany(namespaceId, orderIds)).map((row) => [row.orderId, row]));
    const doubtful = page.filter((run) => isDoubtful(run, stored.get(run.orderId), now()));
    const states = new Map(doubtful.map((run) => [stateOf(run, stored.get(run.orderId)), run.orderId]));
    const unknown = [...states].filter(([state]) => !reconciler.compared.has(state));
    await settle(reconciler, namespaceId, [...new Set(unknown.map(([, orderId]) => orderId))]);
    for (const state of states.keys()) compared.add(state);
    for (const { orderId, closedAt } of page) if (closedAt === 0) open.add(orderId);
    if (signal.aborted) return;
  }
  const unlisted = await rows.openExcept(namespaceId, [...open], now());
  await settle(
    reconciler,
    namespaceId,
    unlisted.map(({ orderId }) => orderId),
  );
  reconciler.compared = compared;
  reconciler.closedSince = new Date(startedAt - overlapMs);
}

/** Whether the row of an order may be out of date: it is missing, of an earlier run, or says the same for long. */
function isDoubtful({ closedAt }: ListedRun, row: StoredOrder | undefined, now: Date): boolean {
  if (row?.since == null || row.status === null) return true;
  const since = Date.parse(row.since);
  return closedAt === 0
    ? since < now.getTime() - lateAfterMs
    : row.status === 'OPEN' || since < closedAt - closeToleranceMs;
}

function stateOf({ orderId, closedAt }: ListedRun, row: StoredOrder | undefined): string {
  return [orderId, closedAt, row?.since].join(' ');
}

async function reconcileOperations({ context, rows }: Reconciler, namespaceId: string): Promise<void> {
  const { temporal, now } = context;
  const operating = await rows.operating(namespaceId, operationAgeSeconds);
  await forEachOrder(context, operating, async (order) => {
    await callTemporal(temporal, (client: Client) => resumeOperation(client, rows, order, now()));
  });
}

/** Decides by description and history of each order, never by the list that it was found in. */
async function settle(
  { context, rows, undecided }: Reconciler,
  namespaceId: string,
  orderIds: readonly string[],
): Promise<void> {
  const { temporal, now } = context;
  const orders = orderIds.map((orderId) => ({ orderId, namespaceId }));
  // One whose comparison fails is looked at again in the next one.
  for (const orderId of orderIds) undecided.add(orderId);
  await forEachOrder(context, orders, async (order) => {
    const settled = await callTemporal(temporal, (client: Client) => settleOrder(client, rows, order, now()));
    if (settled !== 'undecided') undecided.delete(order.orderId);
  });
}

/**
 * Stores which parcels have left. The workflow of an order has no step for it and gets no signal; Temporal lists the consignments
 * that recorded it, and the history of each is read once, for the time.
 * @throws GantryError UNAVAILABLE
 */
async function storeDispatches(context: PluginContext, rows: OrderRows, namespaceId: string): Promise<void> {
  const { temporal } = context;
  const inTransit = `ExecutionStatus = 'Running' AND TemporalChangeVersion = '${dispatchedMarker}'`;
  for await (const page of listRuns(temporal, 'startConsignment', inTransit)) {
    const orderIds = page.map(({ orderId }) => orderId);
    const late = (await rows.findMany(namespaceId, orderIds)).filter(isWaitingForDispatch);
    await forEachOrder(context, late, async ({ orderId }) => {
      const dispatchedAt = await callTemporal(temporal, (client: Client) => readDispatch(client, orderId));
      if (dispatchedAt !== undefined) await rows.dispatch({ orderId, namespaceId }, dispatchedAt);
    });
  }
}

/** When the parcel of the newest consignment left; undefined when that has not happened yet, or the consignment is gone. */
async function readDispatch(client: Client, orderId: string): Promise<Date | undefined> {
  try {
    const { events } = await client.workflow.getHandle(consignmentWorkflowId(orderId)).fetchHistory();
    const dispatched = (events ?? []).find(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signalNames.shipmentDispatched,
    );
    return dispatched === undefined ? undefined : dateOf(dispatched.eventTime);
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}
