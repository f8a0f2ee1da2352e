import { workflowStatuses } from '@gantry/contracts';
import type { RawWorkflowExecutionInfo } from '@temporalio/client';
import type { WorkflowSummary } from './workflow-schemas';

/** Members of list and detail. */
export function summaryOf(raw: RawWorkflowExecutionInfo): WorkflowSummary {
  const closeTime = timeOf(raw.closeTime);
  const parent = raw.parentExecution?.workflowId;
  return {
    workflowId: raw.execution?.workflowId ?? '',
    runId: raw.execution?.runId ?? '',
    type: raw.type?.name ?? '',
    // Temporal counts its states from 1; one that is paused runs.
    status: workflowStatuses[(raw.status ?? 1) - 1] ?? 'RUNNING',
    taskQueue: raw.taskQueue ?? '',
    startTime: timeOf(raw.startTime) ?? '',
    ...(closeTime === undefined ? {} : { closeTime }),
    ...(parent ? { parentWorkflowId: parent } : {}),
  };
}

/** A time of Temporal as ISO 8601. */
export function timeOf(time: RawWorkflowExecutionInfo['closeTime']): string | undefined {
  if (time?.seconds == null) return undefined;
  return new Date(Number(String(time.seconds)) * 1_000 + Math.floor((time.nanos ?? 0) / 1_000_000)).toISOString();
}
