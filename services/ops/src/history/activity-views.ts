import type { WorkflowExecutionDescription } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { describeFailure, type HistoryEvent, type HistoryFailure } from './history';
import { timeOf } from '../listing/workflow-summary';
import type { ActivityView } from '../listing/workflow-schemas';

/** An activity that Temporal reports as pending: the data of describe beyond the history. */
type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

const { PENDING_ACTIVITY_STATE_STARTED } = temporal.api.enums.v1.PendingActivityState;

/** Additions of a description to the events of a run. */
export interface DescribedRun {
  readonly pending: readonly PendingActivity[];
  /** The number of events when the run was described. An activity that was scheduled later is not among the pending ones. */
  readonly describedEvents: number;
  /**
   * Whether these are all events of the run; otherwise an activity whose end is not among them, and which is not pending, has
   * ended in one of those that follow and is left out.
   */
  readonly isWhole: boolean;
}

/**
 * The activities of a run in the order scheduled. The history of an activity that runs or waits for its next attempt
 * ends with its scheduling, so that its state comes from what the description lists as pending.
 * @param events those of the run, read after its description
 */
export function activityViews(
  events: readonly HistoryEvent[],
  { pending, describedEvents, isWhole }: DescribedRun,
): readonly ActivityView[] {
  const ends = endsByScheduled(events);
  const starts = startsByScheduled(events);
  const begun = new Set<string>();
  const views = events.flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled === undefined) return [];
    begun.add(scheduled.activityId);
    const start = starts.get(event.eventId);
    const end = ends.get(event.eventId);
    const underWay = pending.find(({ activityId }) => activityId === scheduled.activityId);
    if (!isWhole && end === undefined && underWay === undefined) return [];
    return {
      type: scheduled.activityType.name,
      state: Number(event.eventId) > describedEvents ? ('scheduled' as const) : ('canceled' as const),
      taskQueue: scheduled.taskQueue?.name ?? '',
      attempt: start?.attempt ?? 1,
      scheduledTime: event.eventTime,
      ...lastFailure(start?.lastFailure),
      ...pendingPart(underWay),
      ...end,
    };
  });
  return [...views, ...pending.filter(({ activityId }) => !begun.has(activityId ?? '')).map(pendingView)];
}

/** One whose scheduling is not among the events that were read. */
function pendingView(pending: PendingActivity): ActivityView {
  return {
    type: pending.activityType?.name ?? '',
    state: 'scheduled',
    taskQueue: pending.activityOptions?.taskQueue?.name ?? '',
    attempt: 1,
    scheduledTime: timeOf(pending.scheduledTime) ?? '',
    ...pendingPart(pending),
  };
}

type Ending = Pick<ActivityView, 'state' | 'lastFailure' | 'closeTime'>;

function endsByScheduled(events: readonly HistoryEvent[]): ReadonlyMap<string, Ending> {
  const ends = new Map<string, Ending>();
  for (const event of events) {
    const end = endOf(event);
    if (end === undefined) continue;
    const [state, { scheduledEventId, failure }] = end;
    ends.set(scheduledEventId, { state, closeTime: event.eventTime, ...lastFailure(failure) });
  }
  return ends;
}

type ActivityEnd = NonNullable<HistoryEvent['activityTaskCompletedEventAttributes']>;

function endOf(event: HistoryEvent): readonly [ActivityView['state'], ActivityEnd] | undefined {
  if (event.activityTaskCompletedEventAttributes) return ['completed', event.activityTaskCompletedEventAttributes];
  if (event.activityTaskFailedEventAttributes) return ['failed', event.activityTaskFailedEventAttributes];
  if (event.activityTaskTimedOutEventAttributes) return ['timed_out', event.activityTaskTimedOutEventAttributes];
  if (event.activityTaskCanceledEventAttributes) return ['canceled', event.activityTaskCanceledEventAttributes];
  return undefined;
}

type ActivityStart = NonNullable<HistoryEvent['activityTaskStartedEventAttributes']>;

function startsByScheduled(events: readonly HistoryEvent[]): ReadonlyMap<string, ActivityStart> {
  return new Map(
    events.flatMap(({ activityTaskStartedEventAttributes: start }) =>
      start === undefined ? [] : [[start.scheduledEventId, start] as const],
    ),
  );
}

function pendingPart(pending: PendingActivity | undefined): Partial<ActivityView> {
  if (pending === undefined) return {};
  const nextAttemptTime = timeOf(pending.nextAttemptScheduleTime);
  return {
    state: pending.state === PENDING_ACTIVITY_STATE_STARTED ? 'started' : 'scheduled',
    attempt: pending.attempt ?? 1,
    ...lastFailure(pending.lastFailure),
    ...(nextAttemptTime === undefined ? {} : { nextAttemptTime }),
  };
}

function lastFailure(failure: HistoryFailure | null | undefined): Pick<ActivityView, 'lastFailure'> {
  const message = describeFailure(failure);
  return message === undefined ? {} : { lastFailure: message };
}
