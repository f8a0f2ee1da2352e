import {
  consignmentWorkflowId,
  operationStatuses,
  operationWorkflowId,
  orderOperations,
  orderWorkflowId,
  workflowTypes,
  type ConsignmentResult,
  type OrderOperation,
} from '@gantry/contracts';
import { isWorkflowNotFound } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { decideOrder, readOrderFacts, type OpenConsignment, type OrderFacts, type OrderFinding } from './order-history';
import type { OrderKey, OrderRows, StoredOrder } from '../order-rows';
import type { AuditNote } from '../routes/request-schemas';
import { startOperation, type OperationStart } from '../start-operation';
import type { EndSubject } from '../workflows/end-reasons';

interface FoundOrder {
  readonly firstRunId: string;
  /** Undefined as long as it cannot be decided. */
  readonly finding: OrderFinding | undefined;
}

/**
 * Stores what Temporal says about an order.
 * @returns `undecided` as long as it cannot be known: its workflow has ended, and its consignment or its refund may not have;
 * `unknown` when Temporal does not keep the order
 */
export async function settleOrder(
  client: Client,
  rows: OrderRows,
  { orderId, namespaceId }: OrderKey,
  now: Date,
): Promise<'settled' | 'undecided' | 'unknown'> {
  const found = await findOrder(client, orderId, now);
  if (found === undefined) {
    await rows.forget({ orderId, namespaceId }, now);
    return 'unknown';
  }
  if (found.finding === undefined) return 'undecided';
  const { since, ...finding } = found.finding;
  await rows.settle({ orderId, runId: found.firstRunId, ...finding, since: since.toISOString() }, namespaceId);
  return 'settled';
}

/** The state of an order in Temporal, by its newest run. @returns undefined when it has forgotten it */
async function findOrder(client: Client, orderId: string, now: Date): Promise<FoundOrder | undefined> {
  const workflowId = orderWorkflowId(orderId);
  const description = await unlessNotFound(client.workflow.getHandle(workflowId).describe());
  if (description === undefined || description.type !== workflowTypes.placeOrder) return undefined;
  const { runId } = description;
  const facts = await readFacts(client, workflowId, runId, 'order');
  return {
    firstRunId: description.raw.workflowExecutionInfo?.firstRunId || runId,
    finding: decideOrder(facts, await openConsignment(client, orderId, facts), now),
  };
}

/**
 * Starts the workflow of an operation that a request has let begin, or stores how it ended.
 * @returns `undecided` as long as its end cannot be known: it was terminated, and its consignment or its refund may not have ended
 * @throws GantryError CONFLICT when a workflow of others has the id
 */
export async function resumeOperation(
  client: Client,
  rows: OrderRows,
  order: StoredOrder,
  now: Date,
  note: AuditNote = {},
): Promise<OperationStart | { readonly kind: 'undecided' }> {
  const operation = operationOf(order);
  const { orderId, namespaceId } = order;
  const workflowId = operationWorkflowId(operation, orderId);
  const description = await unlessNotFound(client.workflow.getHandle(workflowId).describe());
  if (description === undefined || description.runId !== order.operation) {
    return startOperation(client, rows, order, operation, note);
  }
  const { runId } = description;
  if (description.status.name === 'RUNNING') return { kind: 'running', runId };
  const facts = { ...(await readFacts(client, workflowId, runId, operation)), isPaid: true };
  const finding = decideOrder(facts, await openConsignment(client, orderId, facts), now);
  const status = endOfOperation(finding);
  if (finding === undefined || status === undefined) return { kind: 'undecided' };
  const end = { orderId, namespaceId, runId, status, since: finding.since.toISOString() };
  await rows.finish(finding.reason === undefined ? end : { ...end, reason: finding.reason });
  return { kind: 'done' };
}

function endOfOperation(finding: OrderFinding | undefined) {
  switch (finding?.status) {
    case 'DELIVERED':
    case 'REFUNDED':
    case 'NEEDS_DECISION':
      return finding.status;
    default:
      return undefined;
  }
}

function operationOf({ status }: StoredOrder): OrderOperation {
  return orderOperations.find((operation) => operationStatuses[operation] === status) ?? 'refund';
}

async function readFacts(client: Client, workflowId: string, runId: string, subject: EndSubject): Promise<OrderFacts> {
  return readOrderFacts(await client.workflow.getHandle(workflowId, runId).fetchHistory(), subject);
}

/** The state of a consignment that was started by a run which ended before it. */
async function openConsignment(client: Client, orderId: string, facts: OrderFacts): Promise<OpenConsignment> {
  if (facts.closing === undefined || !facts.isConsignmentOpen) return undefined;
  const handle = client.workflow.getHandle(consignmentWorkflowId(orderId));
  const description = await unlessNotFound(handle.describe());
  if (description?.type !== workflowTypes.startConsignment) return undefined;
  if (description.status.name === 'RUNNING') return 'RUNNING';
  return description.status.name === 'COMPLETED' ? ((await handle.result()) as ConsignmentResult) : undefined;
}

async function unlessNotFound<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}
