/** Where the page of a workflow is; of its newest run unless another is named. */
export function workflowAddress(workflowId: string, runId?: string): string {
  const run = runId === undefined ? '' : `?run=${encodeURIComponent(runId)}`;
  return `/operations/workflows/${encodeURIComponent(workflowId)}${run}`;
}

/** Where the page of an order is. */
export function orderAddress(orderId: string): string {
  return `/operations/orders/${encodeURIComponent(orderId)}`;
}
