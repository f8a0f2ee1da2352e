import { randomUUID } from 'node:crypto';
import { operationStatuses, operationWorkflowId, type OperationStarted, type OrderOperation } from '@gantry/contracts';
import { asCaller, callTemporal, type RouteHandler, type RouteResponse } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import type { StoredOrder } from './order-rows';
import type { operationSchemas } from './request-schemas';
import { resumeOperation } from './find-order';
import { startOperation } from './start-operation';
import {
  assertNeedsDecision,
  findSettledOrder,
  findStoredOrder,
  isUndecided,
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
  const { temporal, rows, now } = dependencies;
  return async ({ params: { orderId }, body, caller }) => {
    const note = asCaller(caller, body);
    for (let attempt = 1; ; attempt += 1) {
      const { row, isDuplicate } = await decide(operation, dependencies, orderId);
      const started = await callTemporal(temporal, (client: Client) =>
        // The operation that was asked for before may have been terminated: what became of it comes first.
        isDuplicate
          ? resumeOperation(client, rows, row, now(), note)
          : startOperation(client, rows, row, operation, note),
      );
      if (started.kind === 'undecided') {
        throw isUndecided(`The workflow ${operationWorkflowId(operation, orderId)}`, operationStatuses[operation]);
      }
      if (started.kind !== 'done') {
        return accepted(operation, orderId, started.runId, isDuplicate && started.kind === 'running');
      }
      const ended = await findStoredOrder(dependencies, orderId);
      if (ended.status !== 'NEEDS_DECISION' || attempt === maxAttempts) throw needsNoDecision(ended);
    }
  };
}

/** An operation that was terminated is followed by another one, which other requests may have begun and terminated, too. */
const maxAttempts = 3;

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
