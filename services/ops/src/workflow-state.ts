import { stateQueryOf, type ConsignmentState, type OrderState, type WorkflowSummary } from '@gantry/contracts';
import type { Client } from '@temporalio/client';

/** A worker that is there answers in milliseconds; without one, Temporal would keep the question for long. */
const answerWithinMs = 1_000;

/**
 * What a workflow of the order services says of itself; also one that has ended, which a worker replays for it. Undefined
 * for other workflows, and when no worker answers in time: the detail is worth showing without.
 */
export async function workflowState(
  client: Client,
  { type, workflowId, runId }: WorkflowSummary,
): Promise<OrderState | ConsignmentState | undefined> {
  const queries: Readonly<Record<string, string>> = stateQueryOf;
  const query = Object.hasOwn(queries, type) ? queries[type] : undefined;
  if (query === undefined) return undefined;
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    return await client.withDeadline(Date.now() + answerWithinMs, () =>
      handle.query<OrderState | ConsignmentState>(query),
    );
  } catch {
    return undefined;
  }
}
