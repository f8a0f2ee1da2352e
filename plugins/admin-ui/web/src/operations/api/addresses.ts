import { orderWorkflowId, parseOrderId, workflowTypes } from '@gantry/contracts';
import type { WorkflowSummary } from './workflows';
import { mayReader } from '../../api/platform/initial-data';

/** Where the page of a workflow is; of its newest run unless another is named. */
export function workflowAddress(workflowId: string, runId?: string): string {
  const run = runId === undefined ? '' : `?run=${encodeURIComponent(runId)}`;
  return `/operations/workflows/${encodeURIComponent(workflowId)}${run}`;
}

/** The tab of the page of an order that shows its workflow. */
export const technicalTab = 'technical';

/**
 * Where the workflow of an order is shown, instead of a separate page.
 * @param more the query and the hash of the address of a workflow's page
 */
export function technicalAddress(orderId: string, { search = '', hash = '' } = {}): string {
  const query = new URLSearchParams(search);
  query.set('tab', technicalTab);
  return `${orderAddress(orderId)}?${query}${hash}`;
}

/** The order whose workflow it is, for readers who may see orders; undefined for other workflows. */
export function orderOf({ workflowId, type }: Pick<WorkflowSummary, 'workflowId' | 'type'>): string | undefined {
  if (!mayReader('order.read') || type !== workflowTypes.placeOrder || !workflowId.startsWith(prefix)) return undefined;
  const parsed = parseOrderId(workflowId.slice(prefix.length));
  return parsed.ok ? parsed.orderId : undefined;
}

const prefix = orderWorkflowId('');

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

/** Id of the order that a workflow with this id is about; undefined for others. */
export function orderServedBy(workflowId: string): string | undefined {
  return /^(?:order|consignment)-(.+)$/.exec(workflowId)?.[1];
}
