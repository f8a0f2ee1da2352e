import { setTimeout } from 'node:timers/promises';
import { operationWorkflowId, orderOperations, orderWorkflowId, type OrderStatus } from '@gantry/contracts';
import { callTemporal, GantryError, isWorkflowNotFound, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { settleOrder } from './find-order';
import { readNamespaceId } from '../namespace-id';
import type { OrderRows, StoredOrder } from '../order-rows';

const closesWithinMs = 3_000;
const retryAfterMs = 50;

/** The context of a route that decides about an order. */
export interface DecisionDependencies {
  readonly temporal: Temporal;
  readonly rows: OrderRows;
  readonly now: () => Date;
}

/**
 * The row of an order that a person decides about. One that says that the order is open may be late: the reconciler looks at it
 * every half minute, and this does at once.
 * @throws GantryError ORDER_NOT_FOUND, CONFLICT
 */
export async function findSettledOrder(dependencies: DecisionDependencies, orderId: string): Promise<StoredOrder> {
  const { temporal, rows, now } = dependencies;
  const order = { orderId, namespaceId: await callTemporal(temporal, readNamespaceId) };
  const row = await rows.find(order);
  if (row?.status != null && row.status !== 'OPEN') return row;
  const settled = await callTemporal(temporal, (client: Client) => settleOrder(client, rows, order, now()));
  if (settled === 'undecided') throw isUndecided(`The workflow of order ${orderId}`, 'OPEN');
  return findStoredOrder(dependencies, orderId);
}

/** @throws GantryError ORDER_NOT_FOUND */
export async function findStoredOrder({ temporal, rows }: DecisionDependencies, orderId: string): Promise<StoredOrder> {
  const row = await rows.find({ orderId, namespaceId: await callTemporal(temporal, readNamespaceId) });
  if (row === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
  return row;
}

/**
 * The row needs a decision a moment before the workflow of the order, or of an operation that failed, closes. One that
 * is still running was reset, and continues, or is an operation that another request has begun since the row was read: then the row
 * says so, and the compare-and-set that follows finds it.
 * @throws GantryError CONFLICT for an order that needs no decision, or that a workflow still settles
 */
export async function assertNeedsDecision(dependencies: DecisionDependencies, order: StoredOrder): Promise<void> {
  const { orderId, status } = order;
  if (status !== 'NEEDS_DECISION') throw needsNoDecision(order);
  const hasChanged = async (): Promise<boolean> => (await findStoredOrder(dependencies, orderId)).status !== status;
  const earlier = [orderWorkflowId(orderId), ...orderOperations.map((name) => operationWorkflowId(name, orderId))];
  await Promise.all(earlier.map((workflowId) => assertEnded(dependencies.temporal, workflowId, hasChanged)));
}

/** The error for an order that needs no decision. */
export function needsNoDecision({ orderId, status }: StoredOrder): GantryError {
  const found = status ?? 'unknown';
  const message = `Order ${orderId} has the status ${found}; this operation needs the status NEEDS_DECISION.`;
  return new GantryError('CONFLICT', message, { details: [{ path: 'status', code: found, message }] });
}

async function assertEnded(temporal: Temporal, workflowId: string, hasChanged: () => Promise<boolean>): Promise<void> {
  const isRunning = (): Promise<boolean> =>
    callTemporal(temporal, (client: Client) =>
      client.workflow
        .getHandle(workflowId)
        .describe()
        .then(({ status }) => status.name === 'RUNNING')
        .catch((error: unknown) => {
          if (isWorkflowNotFound(error)) return false;
          throw error;
        }),
    );
  const deadline = performance.now() + closesWithinMs;
  while ((await isRunning()) && !(await hasChanged())) {
    if (performance.now() > deadline) {
      throw new GantryError('CONFLICT', `The workflow ${workflowId} is running again. Wait for its end, or cancel it.`);
    }
    await setTimeout(retryAfterMs);
  }
}

/** The error for an order of which a workflow has ended, and what it began may not have. */
export function isUndecided(workflow: string, status: OrderStatus): GantryError {
  const message = `${workflow} has ended, but its consignment is running, or a refund may be in progress. Try again in 30 seconds.`;
  return new GantryError('CONFLICT', message, { details: [{ path: 'status', code: status, message }] });
}
