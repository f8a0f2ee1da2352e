import { orderWorkflowId, taskQueues, workflowTypes, type PlaceOrder } from '@gantry/contracts';
import { GantryError, isWorkflowNotFound } from '@gantry/plugin-api';
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import type { PlacedOrders } from './placed-orders';

/** What became of placing an order. */
export interface Placing {
  /** The first run of its workflow. */
  readonly runId: string;
  /** It had been placed before. */
  readonly duplicate: boolean;
}

/**
 * Starts the workflow of an order unless it was ever placed. Temporal refuses a second one for as long as it knows the
 * first; after that, the rows tell.
 * @throws GantryError CONFLICT when a workflow of others has the id
 */
export async function placeOnce(client: Client, orders: PlacedOrders, orderId: string): Promise<Placing> {
  const namespaceId = await namespaceIdOf(client);
  const known = await orders.runOf({ orderId, namespaceId });
  if (known !== undefined && (await isForgotten(client, orderId))) return { runId: known, duplicate: true };
  const placing = await start(client, orderId);
  if (known === undefined) await orders.remember({ orderId, namespaceId, runId: placing.runId });
  return placing;
}

/** A Temporal that was set up anew has no orders yet, whatever the rows of the one before say. */
async function namespaceIdOf(client: Client): Promise<string> {
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  return namespaceInfo?.id ?? '';
}

/** What has ended is removed when the retention of the namespace is over. */
async function isForgotten(client: Client, orderId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(orderWorkflowId(orderId)).describe();
    return false;
  } catch (error) {
    if (isWorkflowNotFound(error)) return true;
    throw error;
  }
}

async function start(client: Client, orderId: string): Promise<Placing> {
  const workflowId = orderWorkflowId(orderId);
  try {
    const handle = await client.workflow.start<PlaceOrder>(workflowTypes.placeOrder, {
      workflowId,
      taskQueue: taskQueues.order,
      args: [{ orderId }],
      // Ended orders are refused here, running ones by the conflict policy: both come out as "already started".
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
    });
    return { runId: handle.firstExecutionRunId, duplicate: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const description = await client.workflow.getHandle(workflowId).describe();
    assertOrder(description);
    return { runId: firstRunId(description), duplicate: true };
  }
}

/** Ids are free to choose for whoever starts a workflow. */
function assertOrder({ workflowId, type }: WorkflowExecutionDescription): void {
  if (type === workflowTypes.placeOrder) return;
  const reason = `The workflow ${workflowId} is of the type ${type} and no order. Choose another orderId.`;
  throw new GantryError('CONFLICT', reason);
}

/** The run that the first answer named, even if a reset has added runs since. */
function firstRunId(description: WorkflowExecutionDescription): string {
  return description.raw.workflowExecutionInfo?.firstRunId || description.runId;
}
