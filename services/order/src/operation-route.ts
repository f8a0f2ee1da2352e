import { randomUUID } from 'node:crypto';
import { operationStatuses, operationWorkflowId, type OperationStarted, type OrderOperation } from '@gantry/contracts';
import { asCaller, callTemporal, type RouteHandler, type RouteResponse } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import type { StoredOrder } from './order-rows';
import type { operationSchemas } from './request-schemas';
import { startOperation } from './start-operation';
import {
  assertNeedsDecision,
  findSettledOrder,
  findStoredOrder,
  needsNoDecision,
  type DecisionDependencies,
} from './undecided-order';

/**
 * POST /orders/:orderId/refund and /redelivery: what a person decides about an order that was paid and ended without
 * delivery and refund. One compare-and-set on the row lets one operation begin; a request that is sent again while the
 * operation runs, or after a crash before its workflow was started, gets the same answer.
 */
export function createOperationRoute(
  operation: OrderOperation,
  dependencies: DecisionDependencies,
): RouteHandler<typeof operationSchemas> {
  return async ({ params: { orderId }, body, caller }) => {
    const note = asCaller(caller, body);
    const order = await decide(operation, dependencies, orderId);
    const started = await callTemporal(dependencies.temporal, (client: Client) =>
      startOperation(client, dependencies.rows, order.row, operation, note),
    );
    if (started.kind === 'done') throw needsNoDecision(await findStoredOrder(dependencies, orderId));
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
async function decide(
  operation: OrderOperation,
  dependencies: DecisionDependencies,
  orderId: string,
): Promise<DecidedOrder> {
  const status = operationStatuses[operation];
  const found = await findSettledOrder(dependencies, orderId);
  if (found.status === status) return { row: found, isDuplicate: true };
  await assertNeedsDecision(dependencies, found);
  const token = randomUUID();
  if (await dependencies.rows.decide(found, operation, token, dependencies.now())) {
    return { row: { ...found, status, operation: token }, isDuplicate: false };
  }
  const changed = await findStoredOrder(dependencies, orderId);
  if (changed.status === status) return { row: changed, isDuplicate: true };
  throw needsNoDecision(changed);
}
