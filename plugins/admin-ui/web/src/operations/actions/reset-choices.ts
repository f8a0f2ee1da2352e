import { attributesOf, typeOf, type HistoryEvent } from '../api/history-event';

/** A point that a reset can go back to: a name or the id of an event, as text. */
export interface ResetChoice {
  readonly value: string;
  readonly label: string;
}

export interface ResetChoices {
  /** Where the failed step is tried again; undefined when nothing failed. */
  readonly proposed: string | undefined;
  readonly named: readonly ResetChoice[];
  /** Every point, the newest first. */
  readonly events: readonly ResetChoice[];
}

/** The activities that compensate (order specification, section 3). */
const compensation: readonly string[] = ['refundPayment', 'sendOrderCancelledNotification'];

const failures = /^(ACTIVITY_TASK_(FAILED|TIMED_OUT)|(START_)?CHILD_WORKFLOW_EXECUTION_(FAILED|TIMED_OUT|TERMINATED))$/;

/** The points in a history; only the ends of workflow tasks can be gone back to. */
export function resetChoices(events: readonly HistoryEvent[]): ResetChoices {
  const points = events
    .filter((event) => /^WORKFLOW_TASK_(COMPLETED|FAILED|TIMED_OUT)$/.test(typeOf(event)))
    .toReversed();
  const failed = [
    ...(failedCompensation(events).length > 0
      ? [{ value: 'COMPENSATION', label: 'Before the compensation that failed' }]
      : []),
    ...failedStep(events),
  ];
  return {
    proposed: failed[0]?.value,
    named: [
      ...failed,
      { value: 'FIRST_TASK', label: 'The beginning: all steps run again' },
      { value: 'LAST_TASK', label: 'The last step' },
    ],
    events: points.map((point) => ({
      value: point.eventId,
      label: `Event ${point.eventId}, before: ${nextOf(events, point)}`,
    })),
  };
}

/** The step that failed last, other than a compensation. */
function failedStep(events: readonly HistoryEvent[]): readonly ResetChoice[] {
  const begun = events
    .filter((event) => failures.test(typeOf(event)))
    .map((event) => attributesOf(event).scheduledEventId ?? attributesOf(event).initiatedEventId);
  const step = events.findLast((event) => begun.includes(event.eventId) && !isCompensation(event));
  return step === undefined ? [] : [{ value: 'FAILED_STEP', label: `Before ${nameOf(step)}, which failed` }];
}

function isCompensation(event: HistoryEvent): boolean {
  return compensation.includes(attributesOf(event).activityType?.name ?? '');
}

/** Names of the compensating activities that have failed for good in this run. */
export function failedCompensation(events: readonly HistoryEvent[]): readonly string[] {
  const failed = new Set(
    events
      .filter((event) => /^ACTIVITY_TASK_(FAILED|TIMED_OUT)$/.test(typeOf(event)))
      .map((event) => attributesOf(event).scheduledEventId),
  );
  return events
    .filter(({ eventId }) => failed.has(eventId))
    .map((event) => attributesOf(event).activityType?.name ?? '')
    .filter((name) => compensation.includes(name));
}

/** Decision of the workflow in the task that ended there. */
function nextOf(events: readonly HistoryEvent[], point: HistoryEvent): string {
  const decided = events
    .filter((event) => attributesOf(event).workflowTaskCompletedEventId === point.eventId && !isRecord(event))
    .map(nameOf);
  if (decided.length > 0) return decided.join(', ');
  return typeOf(point) === 'WORKFLOW_TASK_COMPLETED' ? 'waiting' : 'the same step, retried';
}

/** Events that a workflow records for itself, such as the version of its code. */
function isRecord(event: HistoryEvent): boolean {
  return /^(MARKER_RECORDED|UPSERT_WORKFLOW_SEARCH_ATTRIBUTES|WORKFLOW_PROPERTIES_MODIFIED)$/.test(typeOf(event));
}

function nameOf(event: HistoryEvent): string {
  const { activityType, workflowId, startToFireTimeout, timerId } = attributesOf(event);
  if (activityType?.name !== undefined) return activityType.name;
  if (workflowId !== undefined) return workflowId;
  if (timerId !== undefined && startToFireTimeout !== undefined) return `timer of ${startToFireTimeout}`;
  return typeOf(event)
    .replace(/^WORKFLOW_EXECUTION_/, 'end of the workflow: ')
    .replaceAll('_', ' ')
    .toLowerCase();
}
