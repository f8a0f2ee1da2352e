import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowClient } from '@temporalio/client';
import { historyToJson } from './history-json';

/** An event of a history as JSON; members that do not belong to its type are absent. */
export interface HistoryEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly workflowExecutionStartedEventAttributes?: { readonly workflowRunTimeout: string };
  readonly workflowExecutionSignaledEventAttributes?: { readonly signalName: string };
  readonly timerStartedEventAttributes?: { readonly startToFireTimeout: string };
  readonly activityTaskScheduledEventAttributes?: {
    readonly activityType: { readonly name: string };
    readonly taskQueue: { readonly name: string };
    readonly startToCloseTimeout: string;
    readonly retryPolicy: { readonly maximumAttempts?: number };
  };
  readonly upsertWorkflowSearchAttributesEventAttributes?: {
    readonly searchAttributes: { readonly indexedFields: Readonly<Record<string, { readonly data: string }>> };
  };
  readonly activityTaskStartedEventAttributes?: { readonly attempt: number };
  readonly startChildWorkflowExecutionInitiatedEventAttributes?: {
    readonly workflowId: string;
    readonly taskQueue: { readonly name: string };
    readonly workflowRunTimeout: string;
    readonly parentClosePolicy: string;
  };
}

/** Where the histories of every branch are kept. */
export const historiesFolder = join(__dirname, '..', 'fixtures', 'histories');
/** And those that were recorded with the code before its first patch. */
export const earlierHistoriesFolder = join(__dirname, '..', 'fixtures', 'earlier-histories');

/** The events of a workflow's newest run. */
export async function historyOf(client: WorkflowClient, workflowId: string): Promise<readonly HistoryEvent[]> {
  const json = historyToJson(await client.getHandle(workflowId).fetchHistory());
  return (json as { readonly events: readonly HistoryEvent[] }).events;
}

/**
 * Keeps the history as a fixture for the replay test when GANTRY_RECORD_HISTORIES is set.
 * @param name of the branch and the workflow, for example `delivered.order`
 */
export async function keepHistory(name: string, events: readonly HistoryEvent[]): Promise<void> {
  if (!process.env['GANTRY_RECORD_HISTORIES']) return;
  await mkdir(historiesFolder, { recursive: true });
  await writeFile(join(historiesFolder, `${name}.json`), `${JSON.stringify({ events }, withoutStack, 1)}\n`);
}

/** Stack traces say where the tests ran, which is no part of a history. */
function withoutStack(key: string, value: unknown): unknown {
  return key === 'stackTrace' ? undefined : value;
}

/** Times of the timers, in the order started, for example `['60s']`. */
export function timersOf(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap((event) => event.timerStartedEventAttributes?.startToFireTimeout ?? []);
}

/** Events of a history, step by step, in the words of the order specification, section 6. */
export function traceOf(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const activity = event.activityTaskScheduledEventAttributes;
    if (activity !== undefined) return `activity ${activity.activityType.name}`;
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal !== undefined) return `signal ${signal.signalName}`;
    const timer = event.timerStartedEventAttributes;
    if (timer !== undefined) return `timer ${timer.startToFireTimeout}`;
    return milestones[event.eventType] ?? [];
  });
}

const milestones: Readonly<Record<string, string>> = {
  EVENT_TYPE_WORKFLOW_EXECUTION_STARTED: 'started',
  EVENT_TYPE_TIMER_FIRED: 'timer fired',
  EVENT_TYPE_TIMER_CANCELED: 'timer cancelled',
  EVENT_TYPE_ACTIVITY_TASK_FAILED: 'activity failed',
  EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT: 'activity timed out',
  EVENT_TYPE_ACTIVITY_TASK_CANCELED: 'activity cancelled',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_STARTED: 'child started',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED: 'child completed',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_FAILED: 'child failed',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_CANCELED: 'child cancelled',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED: 'child terminated',
  EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TIMED_OUT: 'child timed out',
  EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED: 'cancel requested',
  EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED: 'completed',
  EVENT_TYPE_WORKFLOW_EXECUTION_FAILED: 'failed',
  EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED: 'cancelled',
  EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED: 'terminated',
  EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT: 'timed out',
};
