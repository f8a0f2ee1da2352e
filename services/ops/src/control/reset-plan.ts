import type { ResetPoint } from '@gantry/contracts';
import type { HistoryEvent } from '../history/history';

/** Where a reset goes back to and what comes of it, or why there is no such point. */
export type ResetPlan =
  | {
      readonly ok: true;
      readonly eventId: number;
      /** Activities and children begun after the point, in order. */
      readonly repeats: readonly string[];
      /** Ids of children that the new run starts again if it gets there. */
      readonly startsAgain: readonly string[];
      /** Ids of children that had been started before the point and had not ended by then. */
      readonly leftOpen: readonly string[];
    }
  | { readonly ok: false; readonly code: 'VALIDATION_FAILED' | 'CONFLICT'; readonly reason: string };

/** The activities that compensate (order specification, section 3). */
const compensation: readonly string[] = ['refundPayment', 'sendOrderCancelledNotification'];

const taskEnds: readonly string[] = [
  'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
  'EVENT_TYPE_WORKFLOW_TASK_FAILED',
  'EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT',
];

/** Finds the point in the history of a run. Touches nothing. */
export function planReset(events: readonly HistoryEvent[], to: ResetPoint): ResetPlan {
  const point = findPoint(events, to);
  if (typeof point !== 'number') return point;
  const before = events.filter(({ eventId }) => Number(eventId) < point);
  const after = events.filter(({ eventId }) => Number(eventId) > point);
  return {
    ok: true,
    eventId: point,
    repeats: after.flatMap(begun),
    startsAgain: after.flatMap((event) => event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId ?? []),
    leftOpen: openChildren(before),
  };
}

type Refusal = Extract<ResetPlan, { readonly ok: false }>;

function findPoint(events: readonly HistoryEvent[], to: ResetPoint): number | Refusal {
  switch (to) {
    case 'FIRST_TASK':
      return taskCompleted(events.find(isTaskCompleted));
    case 'LAST_TASK':
      return taskCompleted(events.findLast(isTaskCompleted));
    case 'FAILED_STEP':
      return failedStepPoint(events);
    case 'COMPENSATION':
      return compensationPoint(events);
    default:
      return eventPoint(events, to);
  }
}

function isTaskCompleted({ eventType }: HistoryEvent): boolean {
  return eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED';
}

function taskCompleted(event: HistoryEvent | undefined): number | Refusal {
  return event === undefined
    ? conflict('The workflow has not completed any task to which it can be reset.')
    : Number(event.eventId);
}

/** The task that began the activity or child workflow which failed last, other than a compensation. */
function failedStepPoint(events: readonly HistoryEvent[]): number | Refusal {
  const failed = new Set(
    events.flatMap((event) => failedActivity(event)?.scheduledEventId ?? failedChild(event)?.initiatedEventId ?? []),
  );
  const begun = events.findLast(
    ({ eventId, activityTaskScheduledEventAttributes: activity }) =>
      failed.has(eventId) && !compensation.includes(activity?.activityType.name ?? ''),
  );
  const task =
    begun?.activityTaskScheduledEventAttributes ?? begun?.startChildWorkflowExecutionInitiatedEventAttributes;
  if (task !== undefined) return Number(task.workflowTaskCompletedEventId);
  return conflict(
    'No activity or child workflow has failed in this run, other than a compensation. Choose another point.',
  );
}

function failedActivity(event: HistoryEvent) {
  return event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
}

function failedChild(event: HistoryEvent) {
  return (
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.startChildWorkflowExecutionFailedEventAttributes
  );
}

/** The task that scheduled the compensating activity which failed last: what succeeded before it is not repeated. */
function compensationPoint(events: readonly HistoryEvent[]): number | Refusal {
  const failed = new Set(events.flatMap((event) => failedActivity(event)?.scheduledEventId ?? []));
  const scheduled = events.findLast(
    ({ eventId, activityTaskScheduledEventAttributes: activity }) =>
      failed.has(eventId) && compensation.includes(activity?.activityType.name ?? ''),
  )?.activityTaskScheduledEventAttributes;
  if (scheduled !== undefined) return Number(scheduled.workflowTaskCompletedEventId);
  return conflict(
    `No compensation can be repeated: neither ${compensation.join(' nor ')} has failed in this run. An order that needs a decision is refunded with POST /orders/{orderId}/refund, or delivered again with POST /orders/{orderId}/redelivery.`,
  );
}

function eventPoint(events: readonly HistoryEvent[], eventId: number): number | Refusal {
  const event = events.find((candidate) => Number(candidate.eventId) === eventId);
  if (event !== undefined && taskEnds.includes(event.eventType)) return eventId;
  const points = events.filter(({ eventType }) => taskEnds.includes(eventType)).map((candidate) => candidate.eventId);
  const found = event === undefined ? `The run has no event ${eventId}` : `Event ${eventId} ends no workflow task`;
  return { ok: false, code: 'VALIDATION_FAILED', reason: `${found}; possible points are ${points.join(', ')}.` };
}

function begun(event: HistoryEvent): readonly string[] {
  const activity = event.activityTaskScheduledEventAttributes;
  if (activity !== undefined) return [`activity ${activity.activityType.name}`];
  const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
  return child === undefined ? [] : [`child workflow ${child.workflowId}`];
}

function openChildren(events: readonly HistoryEvent[]): readonly string[] {
  const open = new Set<string>();
  for (const event of events) {
    const initiated = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (initiated !== undefined) open.add(initiated.workflowId);
    const ended = endedChild(event);
    if (ended !== undefined) open.delete(ended);
  }
  return [...open];
}

function endedChild(event: HistoryEvent): string | undefined {
  const ended =
    event.childWorkflowExecutionCompletedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes;
  return ended?.workflowExecution?.workflowId;
}

function conflict(reason: string): Refusal {
  return { ok: false, code: 'CONFLICT', reason };
}
