import { stateQueryOf, type ConsignmentState, type OrderState } from '@gantry/contracts';
import type { Client } from '@temporalio/client';
import type { WorkflowSummary } from './workflow-schemas';

/** A worker that is there answers in milliseconds; without one, Temporal would keep the question for long. */
const queryTimeoutMs = 1_000;

/** The answer of a workflow about its progress; both absent for workflows of others, and when no worker answers in time. */
export interface StateAnswer {
  readonly state?: OrderState | ConsignmentState;
  /** Why its code cannot be run on its history. */
  readonly misfit?: string;
}

/**
 * The state that a workflow of the order services reports; also one that has ended, which a worker replays for it. Without an
 * answer, the detail is still useful.
 */
export async function workflowState(
  client: Client,
  { type, workflowId, runId, status }: WorkflowSummary,
): Promise<StateAnswer> {
  const queries: Readonly<Record<string, string>> = stateQueryOf;
  const query = Object.hasOwn(queries, type) ? queries[type] : undefined;
  if (query === undefined) return {};
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    const state = await client.withDeadline(Date.now() + queryTimeoutMs, () =>
      handle.query<OrderState | ConsignmentState>(query),
    );
    return { state: status === 'CANCELED' ? compensated(state) : state };
  } catch (error) {
    return isMisfit(error) ? { misfit: error.message } : {};
  }
}

/** Orders from before the platform stored steps keep the last one when they end as cancelled, after their compensation. */
function compensated(state: OrderState | ConsignmentState): OrderState | ConsignmentState {
  return state.step === 'COMPENSATING' ? { ...state, step: 'COMPLETED' } : state;
}

/** The number under which the SDK's workers report code that would do something else than what is in the history. */
function isMisfit(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('[TMPRL1100]');
}
