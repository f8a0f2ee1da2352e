import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { activityViews } from '../history/activity-views';
import { findWorkflow } from './find-workflow';
import { describeFailure, resultText, type HistoryEvent } from '../history/history';
import { findProblems } from '../problems';
import { readHistoryPage, readLastEvent } from '../history/read-history';
import { workflowState } from './workflow-state';
import type { PendingChild, WorkflowDetail, WorkflowSummary } from './workflow-schemas';

/** Events that a detail is made of. An order has less than a hundred; pages ask for it every two seconds. */
const maxEvents = 2_000;

/**
 * The detail of a workflow (order specification, section 2): one run, described and read together. Of a run with more
 * events than are read here, `readEvents` has their number; open steps and the end are correct anyway.
 * @throws GantryError WORKFLOW_NOT_FOUND
 */
export async function readWorkflowDetail(client: Client, workflowId: string, runId?: string): Promise<WorkflowDetail> {
  const { summary, description } = await findWorkflow(client, workflowId, runId);
  const [{ events, next }, { state, misfit }, { failure, ownResult }] = await Promise.all([
    readHistoryPage(client, summary, maxEvents),
    workflowState(client, summary),
    endOf(client, summary),
  ]);
  // Temporal still lists what was pending when a workflow was terminated.
  const pending = summary.status === 'RUNNING' ? description.raw : {};
  const activities = activityViews(events, {
    pending: pending.pendingActivities ?? [],
    describedEvents: description.historyLength,
    isWhole: next === undefined,
  });
  return {
    ...summary,
    activities,
    pendingChildren: pendingChildren(pending),
    result: [...childResults(events), ...ownResult],
    historyLength: description.historyLength,
    ...(next === undefined ? {} : { readEvents: events.length }),
    ...(state === undefined ? {} : { state }),
    ...(failure === undefined ? {} : { failure }),
    problems:
      summary.status === 'RUNNING'
        ? await findProblems(client, { summary, description, activities, events, misfit })
        : [],
  };
}

/** Why a workflow failed; and what it gave its parent, which is the result of a child. */
async function endOf(
  client: Client,
  run: WorkflowSummary,
): Promise<{ readonly failure?: string | undefined; readonly ownResult: readonly string[] }> {
  const isResult = run.status === 'COMPLETED' && run.parentWorkflowId !== undefined;
  if (!isResult && run.status !== 'FAILED') return { ownResult: [] };
  const last = await readLastEvent(client, run);
  const completed = last?.workflowExecutionCompletedEventAttributes;
  return {
    failure: describeFailure(last?.workflowExecutionFailedEventAttributes?.failure),
    ownResult: completed === undefined ? [] : [resultText(completed.result)],
  };
}

function childResults(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap(({ childWorkflowExecutionCompletedEventAttributes: child }) =>
    child === undefined ? [] : resultText(child.result),
  );
}

function pendingChildren({
  pendingChildren: pending,
}: Pick<WorkflowExecutionDescription['raw'], 'pendingChildren'>): readonly PendingChild[] {
  return (pending ?? []).map(({ workflowId, runId, workflowTypeName }) => ({
    workflowId: workflowId ?? '',
    runId: runId ?? '',
    type: workflowTypeName ?? '',
  }));
}
