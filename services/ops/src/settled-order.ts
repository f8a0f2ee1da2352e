import {
  consignmentWorkflowId,
  deliveredByOperation,
  operationWorkflowId,
  operationWorkflowTypes,
  orderWorkflowId,
  settledElsewhere,
  workflowTypes,
} from '@gantry/contracts';
import { callTemporal, GantryError, type Database, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import type { WorkflowSummary } from './workflow-schemas';

/** What comes before the order id in the ids of the workflows of orders, by their types. */
const prefixes: Readonly<Record<string, string>> = {
  [workflowTypes.placeOrder]: orderWorkflowId(''),
  [workflowTypes.startConsignment]: consignmentWorkflowId(''),
  [operationWorkflowTypes.refund]: operationWorkflowId('refund', ''),
  [operationWorkflowTypes.redelivery]: operationWorkflowId('redelivery', ''),
};

/**
 * A person stored that the order was settled outside of the platform, or an operation has delivered it; a run that a reset begins
 * could refund or deliver it. The row decides, because nothing in Temporal knows it, and without its answer nothing is reset.
 * @throws GantryError CONFLICT for a workflow of such an order; UNAVAILABLE while PostgreSQL or Temporal does not answer
 */
export async function assertMayBeReset(
  { temporal, database }: { readonly temporal: Temporal; readonly database: Database },
  { workflowId, type }: WorkflowSummary,
): Promise<void> {
  const prefix = Object.hasOwn(prefixes, type) ? prefixes[type] : undefined;
  if (prefix === undefined || !workflowId.startsWith(prefix) || !(await hasOrders(database))) return;
  const orderId = workflowId.slice(prefix.length);
  const namespaceId = await callTemporal(temporal, readNamespaceId);
  const [row] = await database.query<{ status: string; reason: string | null; operation: string }>(
    'SELECT status, reason, operation FROM order_order WHERE order_id = $1 AND namespace_id = $2 AND operation = ANY($3)',
    [orderId, namespaceId, [settledElsewhere, deliveredByOperation]],
  );
  if (row === undefined) return;
  const message =
    row.operation === deliveredByOperation
      ? `The order ${orderId} was delivered by a redelivery. No workflow of the order can be reset: it would pay the order back, or deliver it again.`
      : `The order ${orderId} was settled outside the platform as ${row.status} (${row.reason ?? ''}). A settlement is final: no workflow of the order can be reset. Refund or deliver it in the system where it was settled.`;
  throw new GantryError('CONFLICT', message, { details: [{ path: 'status', code: row.status, message }] });
}

/** Without the order service there is no table of orders. */
async function hasOrders(database: Database): Promise<boolean> {
  const [found] = await database.query<{ exists: boolean }>(`SELECT to_regclass('order_order') IS NOT NULL AS exists`);
  return found?.exists === true;
}

/** A Temporal that was set up again has other orders, under the same ids. */
async function readNamespaceId(client: Client): Promise<string> {
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  return namespaceInfo?.id ?? '';
}
