import type { PendingChild, WorkflowDetail } from '@gantry/contracts';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { activityViews } from './activity-views';
import { findWorkflow } from './find-workflow';
import { describeFailure, readHistory, resultText, type HistoryEvent } from './history';
import { findProblems } from './problems';
import { workflowState } from './workflow-state';

/**
 * The detail of a workflow (order specification, section 2): one run, described and read together.
 * @throws GantryError WORKFLOW_NOT_FOUND
 */
export async function workflowDetail(client: Client, workflowId: string, runId?: string): Promise<WorkflowDetail> {
  const { summary, description } = await findWorkflow(client, workflowId, runId);
  const [events, state] = await Promise.all([
    readHistory(client.workflow, workflowId, summary.runId),
    workflowState(client, summary),
  ]);
  // Temporal goes on listing what was pending when a workflow was terminated.
  const pending = summary.status === 'RUNNING' ? (description.raw.pendingActivities ?? []) : [];
  const activities = activityViews(events, pending);
  const failure = failureOf(events);
  return {
    ...summary,
    activities,
    pendingChildren: pendingChildren(description),
    result: events.flatMap(({ childWorkflowExecutionCompletedEventAttributes: child }) =>
      child === undefined ? [] : resultText(child.result),
    ),
    ...(state === undefined ? {} : { state }),
    ...(failure === undefined ? {} : { failure }),
    problems:
      summary.status === 'RUNNING' ? await findProblems(client, { summary, description, activities, events }) : [],
  };
}

function failureOf(events: readonly HistoryEvent[]): string | undefined {
  return describeFailure(events.at(-1)?.workflowExecutionFailedEventAttributes?.failure);
}

function pendingChildren({ raw }: WorkflowExecutionDescription): readonly PendingChild[] {
  return (raw.pendingChildren ?? []).map(({ workflowId, runId, workflowTypeName }) => ({
    workflowId: workflowId ?? '',
    runId: runId ?? '',
    type: workflowTypeName ?? '',
  }));
}
