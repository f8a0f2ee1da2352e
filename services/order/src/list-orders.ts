import { orderIdPattern, orderWorkflowId, workflowTypes } from '@gantry/contracts';
import { callTemporal, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';

const pageSize = 500;

/** A run of an order workflow, as Temporal lists it. */
export interface ListedOrder {
  readonly orderId: string;
  /** Milliseconds since 1970; 0 while it runs. */
  readonly closedAt: number;
}

/**
 * The order workflows that match a query, page by page; one that was reset is listed once for every run.
 * @throws GantryError UNAVAILABLE
 */
export async function* listOrders(temporal: Temporal, query: string): AsyncGenerator<readonly ListedOrder[]> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = nextPageToken;
    const answer = await callTemporal(temporal, (client: Client) =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        pageSize,
        nextPageToken: page,
        query: `WorkflowType = '${workflowTypes.placeOrder}' AND ${query}`,
      }),
    );
    yield answer.executions.flatMap(({ execution, closeTime }) => {
      const orderId = orderIdIn(execution?.workflowId ?? '');
      return orderId === undefined ? [] : { orderId, closedAt: Number(closeTime?.seconds ?? 0) * 1_000 };
    });
    ({ nextPageToken } = answer);
  } while (nextPageToken.length > 0);
}

/** The starter of a workflow of this type chooses its id; one that is none of an order has no row. */
function orderIdIn(workflowId: string): string | undefined {
  const prefix = orderWorkflowId('');
  const orderId = workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : '';
  return orderIdPattern.test(orderId) ? orderId : undefined;
}
