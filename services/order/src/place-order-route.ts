import { orderWorkflowId, parseOrderId, taskQueues, workflowTypes, type PlaceOrder } from '@gantry/contracts';
import { callTemporal, GantryError, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';

/**
 * POST /place-order: starts the parent workflow of an order, once for ever. The same order again gives the same answer
 * with `meta.duplicate`, whether the order still runs or has ended.
 */
export function createPlaceOrderRoute(temporal: Temporal): RouteHandler {
  return async ({ body }) => {
    const orderId = orderIdOf(body);
    const { runId, duplicate } = await callTemporal(temporal, (client: Client) => startOnce(client, orderId));
    return {
      status: 202,
      data: { orderId, workflowId: orderWorkflowId(orderId), runId },
      ...(duplicate ? { meta: { duplicate: true } } : {}),
    };
  };
}

/** Other members of the body are no concern of the sample (order specification, section 2) and are left alone. */
function orderIdOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GantryError('BAD_REQUEST', 'The body must be a JSON object, for example { "orderId": "1001" }.');
  }
  const parsed = parseOrderId((body as { readonly orderId?: unknown }).orderId);
  if (parsed.ok) return parsed.orderId;
  throw new GantryError('VALIDATION_FAILED', parsed.message, {
    details: [{ path: 'orderId', code: 'ORDER_ID_INVALID', message: parsed.message }],
  });
}

interface StartedOrder {
  readonly runId: string;
  readonly duplicate: boolean;
}

async function startOnce(client: Client, orderId: string): Promise<StartedOrder> {
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
