import { operationWorkflowId, orderOperations } from '@gantry/contracts';
import { callTemporal, GantryError, isGantryError, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { findWorkflow, isNotFoundAnswer } from '../listing/find-workflow';
import type { HistoryEvent } from '../history/history';
import { readWholeHistory } from '../history/read-history';
import type { ResetWarning, WorkflowSummary } from '../listing/workflow-schemas';

/** The run of a reset, and its point. */
export interface ResetPoint {
  readonly summary: WorkflowSummary;
  readonly events: readonly HistoryEvent[];
  readonly eventId: number;
}

const orderPrefix = 'order-';
/** A run has a base for every reset before it. */
const maxBases = 20;

/**
 * Warnings before a reset of an order: whether its payment was refunded after the point that the new run
 * begins at, in this run, in one that a reset replaced, or by an operation on the order.
 * @throws GantryError CONFLICT while an operation on the order runs
 */
export async function resetWarnings(temporal: Temporal, point: ResetPoint): Promise<readonly ResetWarning[]> {
  const { summary, events, eventId } = point;
  if (summary.type !== 'placeOrder' || !summary.workflowId.startsWith(orderPrefix)) return [];
  const orderId = summary.workflowId.slice(orderPrefix.length);
  const operations = await readOperations(temporal, orderId);
  const isPaidBack =
    isRefunded(events, eventId) ||
    operations.some((history) => isRefunded(history)) ||
    (await isBaseRefunded(temporal, point));
  return isPaidBack ? [paidBack(orderId)] : [];
}

function paidBack(orderId: string): ResetWarning {
  return {
    code: 'PAID_BACK',
    message: `The payment of the order ${orderId} was refunded. The new run treats the payment as received: it may notify the customer accordingly, and deliver without payment.`,
  };
}

/** Whether a refund was completed after the event. */
export function isRefunded(events: readonly HistoryEvent[], after = 0): boolean {
  const refunds = new Set(
    events.flatMap(({ eventId, activityTaskScheduledEventAttributes: activity }) =>
      activity?.activityType.name === 'refundPayment' ? [eventId] : [],
    ),
  );
  return events.some(
    ({ eventId, activityTaskCompletedEventAttributes: end }) =>
      end !== undefined && refunds.has(end.scheduledEventId) && Number(eventId) > after,
  );
}

/** The histories of the operations on the order, as far as there were any. */
async function readOperations(temporal: Temporal, orderId: string): Promise<readonly (readonly HistoryEvent[])[]> {
  const histories = await Promise.all(
    orderOperations.map(async (operation) => {
      const found = await unlessNotFound(() =>
        callTemporal(temporal, (client: Client) => findWorkflow(client, operationWorkflowId(operation, orderId))),
      );
      if (found === undefined) return [];
      if (found.summary.status === 'RUNNING') {
        throw new GantryError(
          'CONFLICT',
          `The operation ${found.summary.workflowId} on the order is running; wait for its end.`,
        );
      }
      return readWholeHistory(temporal, found.summary);
    }),
  );
  return histories;
}

/** The effects of runs that resets replaced, after the points at which their successors began, is in no later history. */
async function isBaseRefunded(temporal: Temporal, { summary, events }: ResetPoint): Promise<boolean> {
  let reset = lastReset(events);
  for (let count = 0; reset !== undefined && count < maxBases; count += 1) {
    const { runId, eventId } = reset;
    const run = { workflowId: summary.workflowId, runId };
    const base = await unlessNotFound(() => readWholeHistory(temporal, run));
    if (base === undefined) return false;
    if (isRefunded(base, eventId)) return true;
    reset = lastReset(base);
  }
  return false;
}

/** The run that was gone back in to begin this one, and the event there. */
function lastReset(events: readonly HistoryEvent[]): { readonly runId: string; readonly eventId: number } | undefined {
  const event = events.findLast(({ workflowTaskFailedEventAttributes: failed }) => (failed?.baseRunId ?? '') !== '');
  const runId = event?.workflowTaskFailedEventAttributes?.baseRunId;
  return event === undefined || runId === undefined ? undefined : { runId, eventId: Number(event.eventId) };
}

async function unlessNotFound<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A history that Temporal no longer keeps is reported by its gRPC code. */
function isNotFound(error: unknown): boolean {
  if (isGantryError(error)) return error.code === 'WORKFLOW_NOT_FOUND';
  return isNotFoundAnswer(error);
}
