import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  operationStatuses,
  operationWorkflowId,
  orderOperations,
  orderWorkflowId,
  type OperationStarted,
  type OrderOperation,
} from '@gantry/contracts';
import {
  callTemporal,
  GantryError,
  isWorkflowNotFound,
  type RouteHandler,
  type RouteResponse,
  type Temporal,
} from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { settleOrder } from './find-order';
import { readNamespaceId } from './namespace-id';
import { orderIdOf } from './order-id-of';
import type { OrderRows, StoredOrder } from './order-rows';
import { parseAsked } from './parse-asked';
import { startOperation } from './start-operation';

const closesWithinMs = 3_000;
const askAgainAfterMs = 50;

export interface OperationParts {
  readonly temporal: Temporal;
  readonly rows: OrderRows;
  readonly now: () => Date;
}

/**
 * POST /orders/:orderId/refund and /redelivery: what a person decides about an order that was paid and ended without
 * delivery and refund. One compare-and-set on the row lets one operation begin; a request that is sent again while the
 * operation runs, or after a crash before its workflow was started, gets the same answer.
 */
export function createOperationRoute(operation: OrderOperation, parts: OperationParts): RouteHandler {
  return async ({ params, body }) => {
    const orderId = orderIdOf(params['orderId']);
    const asked = parseAsked(body);
    const order = await decide(operation, parts, orderId);
    const started = await callTemporal(parts.temporal, (client: Client) =>
      startOperation(client, parts.rows, order.row, operation, asked),
    );
    if (started.kind === 'done') throw needsNoDecision(await findOrder(parts, orderId));
    return accepted(operation, orderId, started.runId, order.isDuplicate && started.kind === 'running');
  };
}

function accepted(operation: OrderOperation, orderId: string, runId: string, isDuplicate: boolean): RouteResponse {
  const data: OperationStarted = { orderId, workflowId: operationWorkflowId(operation, orderId), runId };
  return { status: 202, data, ...(isDuplicate ? { meta: { duplicate: true } } : {}) };
}

interface DecidedOrder {
  readonly row: StoredOrder;
  /** Another request has decided the same before. */
  readonly isDuplicate: boolean;
}

/** @throws GantryError ORDER_NOT_FOUND, CONFLICT */
async function decide(operation: OrderOperation, parts: OperationParts, orderId: string): Promise<DecidedOrder> {
  const status = operationStatuses[operation];
  const found = await findSettledOrder(parts, orderId);
  if (found.status === status) return { row: found, isDuplicate: true };
  if (found.status !== 'NEEDS_DECISION') throw needsNoDecision(found);
  const earlier = [orderWorkflowId(orderId), ...orderOperations.map((name) => operationWorkflowId(name, orderId))];
  await Promise.all(earlier.map((workflowId) => assertEnded(parts.temporal, workflowId)));
  const token = randomUUID();
  if (await parts.rows.decide(found, operation, token, parts.now())) {
    return { row: { ...found, status, operation: token }, isDuplicate: false };
  }
  const changed = await findOrder(parts, orderId);
  if (changed.status === status) return { row: changed, isDuplicate: true };
  throw needsNoDecision(changed);
}

/**
 * The row of an order. One that says that the order is open may be late: the reconciler looks at it every half minute, and this
 * does at once.
 * @throws GantryError ORDER_NOT_FOUND, CONFLICT
 */
async function findSettledOrder(parts: OperationParts, orderId: string): Promise<StoredOrder> {
  const { temporal, rows, now } = parts;
  const order = { orderId, namespaceId: await callTemporal(temporal, readNamespaceId) };
  const row = await rows.find(order);
  if (row?.status != null && row.status !== 'OPEN') return row;
  const settled = await callTemporal(temporal, (client: Client) => settleOrder(client, rows, order, now()));
  if (settled === 'undecided') throw isUndecided(orderId);
  return findOrder(parts, orderId);
}

async function findOrder({ temporal, rows }: OperationParts, orderId: string): Promise<StoredOrder> {
  const row = await rows.find({ orderId, namespaceId: await callTemporal(temporal, readNamespaceId) });
  if (row === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
  return row;
}

/**
 * The row needs a decision a moment before the workflow of the order, or of an operation that failed, closes. One that
 * runs on was reset, and goes on by itself.
 * @throws GantryError CONFLICT
 */
async function assertEnded(temporal: Temporal, workflowId: string): Promise<void> {
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
  while (await isRunning()) {
    if (performance.now() > deadline) {
      throw new GantryError('CONFLICT', `The workflow ${workflowId} runs again. Wait for its end, or cancel it.`);
    }
    await setTimeout(askAgainAfterMs);
  }
}

function isUndecided(orderId: string): GantryError {
  const message = `The workflow of order ${orderId} has ended; its consignment runs, or a refund may be under way. Try again in half a minute.`;
  return new GantryError('CONFLICT', message, { details: [{ path: 'status', code: 'OPEN', message }] });
}

function needsNoDecision({ orderId, status }: StoredOrder): GantryError {
  const found = status ?? 'unknown';
  const message = `Order ${orderId} has the status ${found}; this operation needs the status NEEDS_DECISION.`;
  return new GantryError('CONFLICT', message, { details: [{ path: 'status', code: found, message }] });
}
