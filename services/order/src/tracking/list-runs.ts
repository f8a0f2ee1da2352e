import { consignmentWorkflowId, orderIdPattern, orderWorkflowId, workflowTypes } from '@gantry/contracts';
import { callTemporal, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';

const pageSize = 500;

const workflowIds = { placeOrder: orderWorkflowId, startConsignment: consignmentWorkflowId } as const;

/** A run of the workflow of an order or a consignment, as Temporal lists it. */
export interface ListedRun {
  readonly orderId: string;
  /** Milliseconds since 1970; 0 while it runs. */
  readonly closedAt: number;
}

/**
 * The runs of a workflow type that match a query, page by page; a workflow that was reset is listed once for every run.
 * @throws GantryError UNAVAILABLE
 */
export async function* listRuns(
  temporal: Temporal,
  type: keyof typeof workflowIds,
  query: string,
): AsyncGenerator<readonly ListedRun[]> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = nextPageToken;
    const answer = await callTemporal(temporal, (client: Client) =>
      client.workflowService.listWorkflowExecutions({
        namespace: client.options.namespace,
        pageSize,
        nextPageToken: page,
        query: `WorkflowType = '${workflowTypes[type]}' AND ${query}`,
      }),
    );
    const runs = answer.executions.flatMap(({ execution, closeTime }) => {
      const orderId = orderIdIn(execution?.workflowId ?? '', workflowIds[type](''));
      return orderId === undefined ? [] : { orderId, closedAt: Number(closeTime?.seconds ?? 0) * 1_000 };
    });
    if (runs.length > 0) yield runs;
    ({ nextPageToken } = answer);
  } while (nextPageToken.length > 0);
}

/** The starter of a workflow of this type chooses its id; one that is none of an order has no row. */
function orderIdIn(workflowId: string, prefix: string): string | undefined {
  const orderId = workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : '';
  return orderIdPattern.test(orderId) ? orderId : undefined;
}
