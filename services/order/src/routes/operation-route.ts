import { randomUUID } from 'node:crypto';
import { operationStatuses, operationWorkflowId, orderIdSchema, type OrderOperation } from '@gantry/contracts';
import { asCaller, callTemporal, route, type Route } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import type { StoredOrder } from '../order-rows';
import { resumeOperation } from '../tracking/find-order';
import { repeated, startedWorkflow } from './order-schemas';
import { auditNote, deciding } from './request-schemas';
import { startOperation } from '../start-operation';
import {
  assertNeedsDecision,
  findSettledOrder,
  findStoredOrder,
  isUndecided,
  needsNoDecision,
  type DecisionDependencies,
} from '../tracking/undecided-order';

const texts = {
  refund: {
    operationId: 'refundOrder',
    summary: 'Refund an order with the status NEEDS_DECISION: starts the workflow refund-{orderId}',
    description:
      'An order has one decision: after another decision, 409. If the request is repeated, it gets the first response with `meta.duplicate`.',
  },
  redelivery: {
    operationId: 'redeliverOrder',
    summary: 'Deliver an order with the status NEEDS_DECISION again: starts the workflow redelivery-{orderId}',
    description:
      'An order has one decision: after another decision, 409. If the request is repeated, it gets the first response with `meta.duplicate`.',
  },
} as const;

/**
 * Decisions of a person about an order that was paid and ended without delivery and refund. One compare-and-set on the row lets one
 * operation begin; a request that is sent again while the operation runs, or after a crash before its workflow was started, gets the same
 * answer.
 */
export function operationRoute(operation: OrderOperation, dependencies: DecisionDependencies): Route {
  const { temporal, rows, now } = dependencies;
  return route({
    ...deciding,
    path: `/orders/:orderId/${operation}`,
    ...texts[operation],
    params: orderIdSchema,
    body: auditNote.default({}),
    status: 202,
    answer: startedWorkflow,
    meta: repeated,
    async handler({ params: { orderId }, body, caller }) {
      const note = asCaller(caller, body);
      for (let attempt = 1; ; attempt += 1) {
        const { row, isDuplicate } = await decide(operation, dependencies, orderId);
        const started = await callTemporal(temporal, (client: Client) =>
          // The operation that was asked for before may have been terminated: what became of it comes first.
          isDuplicate
            ? resumeOperation(client, rows, row, now(), note)
            : startOperation(client, rows, row, operation, note),
        );
        const workflowId = operationWorkflowId(operation, orderId);
        if (started.kind === 'undecided') throw isUndecided(`The workflow ${workflowId}`, operationStatuses[operation]);
        if (started.kind !== 'done') {
          const duplicate = isDuplicate && started.kind === 'running';
          return { data: { orderId, workflowId, runId: started.runId }, ...(duplicate ? { meta: { duplicate } } : {}) };
        }
        const ended = await findStoredOrder(dependencies, orderId);
        if (ended.status !== 'NEEDS_DECISION' || attempt === maxAttempts) throw needsNoDecision(ended);
      }
    },
  });
}

/** An operation that was terminated is followed by another one, which other requests may have begun and terminated, too. */
const maxAttempts = 3;

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
