import { randomUUID } from 'node:crypto';
import {
  consignmentWorkflowId,
  deliveredByOperation,
  operationWorkflowId,
  operationWorkflowTypes,
  orderWorkflowId,
  settlementWorkflowType,
  taskQueues,
  timeLimits,
  workflowTypes,
  type FindSettlement,
  type OrderSettlement,
} from '@gantry/contracts';
import { callTemporal, GantryError, type Platform, type Temporal } from '@gantry/plugin-api';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import type { WorkflowSummary } from '../listing/workflow-schemas';

/** Prefixes of the order id in ids of workflows of orders, by type. */
const prefixes: Readonly<Record<string, string>> = {
  [workflowTypes.placeOrder]: orderWorkflowId(''),
  [workflowTypes.startConsignment]: consignmentWorkflowId(''),
  [operationWorkflowTypes.refund]: operationWorkflowId('refund', ''),
  [operationWorkflowTypes.redelivery]: operationWorkflowId('redelivery', ''),
};

/** The id of the plugin that knows how orders ended. */
const orderPlugin = 'order';

/**
 * A person stored that the order was settled outside of the platform, or an operation has delivered it; a run that a reset begins
 * could refund or deliver it. The order service decides, because nothing in Temporal knows it, and without its answer nothing is reset.
 * @throws GantryError CONFLICT for a workflow of such an order; UNAVAILABLE while the order service or Temporal does not answer
 */
export async function assertMayBeReset(
  { temporal, platform }: { readonly temporal: Temporal; readonly platform: Platform },
  { workflowId, type }: WorkflowSummary,
): Promise<void> {
  const prefix = Object.hasOwn(prefixes, type) ? prefixes[type] : undefined;
  if (prefix === undefined || !workflowId.startsWith(prefix) || !platform.pluginIds().includes(orderPlugin)) return;
  const orderId = workflowId.slice(prefix.length);
  const found = await askOrderService(temporal, orderId);
  if (found === null) return;
  const message =
    found.operation === deliveredByOperation
      ? `The order ${orderId} was delivered by a redelivery. No workflow of the order can be reset: it would pay the order back, or deliver it again.`
      : `The order ${orderId} was settled outside the platform as ${found.status} (${found.reason ?? ''}). A settlement is final: no workflow of the order can be reset. Refund or deliver it in the system where it was settled.`;
  throw new GantryError('CONFLICT', message, { details: [{ path: 'status', code: found.status, message }] });
}

/** More than the time that the workflow has. */
const answerTimeoutMs = timeLimits.settlementAnswer + 2_000;

async function askOrderService(temporal: Temporal, orderId: string): Promise<OrderSettlement | null> {
  const ask = (client: Client): Promise<OrderSettlement | null> =>
    client.workflow.execute<FindSettlement>(settlementWorkflowType, {
      workflowId: `settlement-${orderId}-${randomUUID()}`,
      taskQueue: taskQueues.order,
      args: [orderId],
      workflowExecutionTimeout: timeLimits.settlementAnswer,
    });
  try {
    return await callTemporal(temporal, ask, { timeoutMs: answerTimeoutMs });
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new GantryError(
      'UNAVAILABLE',
      `The order service does not say whether the order ${orderId} was settled, and without its answer no workflow of the order is reset. Check that the plugin ${orderPlugin} is in use and its worker runs, then try again.`,
      { headers: { 'Retry-After': '5' }, cause: error },
    );
  }
}
