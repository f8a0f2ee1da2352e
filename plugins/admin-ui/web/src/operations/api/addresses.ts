/** Where the page of a workflow is; of its newest run unless another is named. */
export function workflowAddress(workflowId: string, runId?: string): string {
  const run = runId === undefined ? '' : `?run=${encodeURIComponent(runId)}`;
  return `/operations/workflows/${encodeURIComponent(workflowId)}${run}`;
}

/** Where the page of an order is. */
export function orderAddress(orderId: string): string {
  return `/operations/orders/${encodeURIComponent(orderId)}`;
}

/**
 * The id in the address of a workflow's page. The router's own parameters make a slash of `%2F` in an id that has those three
 * characters in it.
 * @param pathname as the browser has it, below the pages' own path
 */
export function workflowIdIn(pathname: string): string {
  const part = /^\/operations\/workflows\/([^/]*)/.exec(pathname)?.[1] ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand, with a percent sign that begins no code.
    return part;
  }
}
