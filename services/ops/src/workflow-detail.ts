import type { PendingChild, WorkflowDetail, WorkflowSummary } from '@gantry/contracts';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { activityViews } from './activity-views';
import { findWorkflow } from './find-workflow';
import { describeFailure, resultText, type HistoryEvent } from './history';
import { findProblems } from './problems';
import { readHistoryPage, readLastEvent } from './read-history';
import { workflowState } from './workflow-state';

/** Events that a detail is made of. An order has less than a hundred; pages ask for it every two seconds. */
const maxEvents = 2_000;

/**
 * The detail of a workflow (order specification, section 2): one run, described and read together. Of a run with more
 * events than are read here, `readEvents` has their number; open steps and the end are correct anyway.
 * @throws GantryError WORKFLOW_NOT_FOUND
 */
export async function workflowDetail(client: Client, workflowId: string, runId?: string): Promise<WorkflowDetail> {
  const { summary, description } = await findWorkflow(client, workflowId, runId);
  const [{ events, next }, { state, misfit }, failure] = await Promise.all([
    readHistoryPage(client, summary, maxEvents),
    workflowState(client, summary),
    summary.status === 'FAILED' ? failureOf(client, summary) : undefined,
  ]);
  // Temporal still lists what was pending when a workflow was terminated.
  const pending = summary.status === 'RUNNING' ? (description.raw.pendingActivities ?? []) : [];
  const activities = activityViews(events, pending, next === undefined);
  return {
    ...summary,
    activities,
    pendingChildren: pendingChildren(description),
    result: childResults(events),
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

async function failureOf(client: Client, run: WorkflowSummary): Promise<string | undefined> {
  return describeFailure((await readLastEvent(client, run))?.workflowExecutionFailedEventAttributes?.failure);
}

function childResults(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap(({ childWorkflowExecutionCompletedEventAttributes: child }) =>
    child === undefined ? [] : resultText(child.result),
  );
}

function pendingChildren({ raw }: WorkflowExecutionDescription): readonly PendingChild[] {
  return (raw.pendingChildren ?? []).map(({ workflowId, runId, workflowTypeName }) => ({
    workflowId: workflowId ?? '',
    runId: runId ?? '',
    type: workflowTypeName ?? '',
  }));
}
