import {
  operationWorkflowId,
  operationWorkflowTypes,
  taskQueues,
  type OperateOnOrder,
  type OrderOperation,
} from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { OrderRows, StoredOrder } from './order-rows';
import type { AuditNote } from './routes/request-schemas';

/** The result of starting the workflow of an operation. */
export type OperationStart =
  | { readonly kind: 'started' | 'running'; readonly runId: string }
  /** It has succeeded before; the row records it now. */
  | { readonly kind: 'done' };

/**
 * Starts the workflow of the operation that the row of an order asks for. As often as it is called, one runs at a time, and
 * none follows one that succeeded: after a failure the same id is used again.
 * @throws GantryError CONFLICT when a workflow of others has the id
 */
export async function startOperation(
  client: Client,
  rows: OrderRows,
  order: StoredOrder,
  operation: OrderOperation,
  note: AuditNote = {},
): Promise<OperationStart> {
  const { orderId, namespaceId, operation: token } = order;
  const workflowId = operationWorkflowId(operation, orderId);
  try {
    const handle = await client.workflow.start<OperateOnOrder>(operationWorkflowTypes[operation], {
      workflowId,
      taskQueue: taskQueues.order,
      args: [{ orderId, namespaceId, operation: token ?? '' }],
      memo: { ...note },
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
    });
    return { kind: 'started', runId: handle.firstExecutionRunId };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return findStartedRun(client, rows, order, operation);
  }
}

async function findStartedRun(
  client: Client,
  rows: OrderRows,
  { orderId, namespaceId, operation: token }: StoredOrder,
  operation: OrderOperation,
): Promise<OperationStart> {
  const workflowId = operationWorkflowId(operation, orderId);
  const handle = client.workflow.getHandle<OperateOnOrder>(workflowId);
  const { type, status, runId, closeTime } = await handle.describe();
  if (type !== operationWorkflowTypes[operation]) {
    throw new GantryError('CONFLICT', `The workflow ${workflowId} is of the type ${type}. Terminate it and try again.`);
  }
  if (status.name !== 'COMPLETED') return { kind: 'running', runId };
  const { outcome } = await handle.result();
  const since = (closeTime ?? new Date()).toISOString();
  await rows.finish({ orderId, namespaceId, runId: token ?? '', status: outcome, since });
  return { kind: 'done' };
}
