import type { ActivityView } from '../api/workflows';
import {
  attributesOf,
  failureText,
  resultText,
  typeOf,
  type Attributes,
  type HistoryEvent,
} from '../api/history-event';
import type { ShownState } from '../ui/shown-state';

export type GroupKind = 'activity' | 'timer' | 'child' | 'signal';

/** The events of one activity, timer, child or signal. Times are milliseconds since 1970. */
export interface TimelineGroup {
  readonly kind: GroupKind;
  readonly name: string;
  readonly state: ShownState;
  /** Ids of its events, the first one first. */
  readonly events: readonly string[];
  readonly start: number;
  /** When the last attempt of an activity, or a child, began to run. */
  readonly startedAt?: number;
  /** Absent: it goes on. */
  readonly end?: number;
  /** When a timer that runs will fire. */
  readonly until?: number;
  readonly attempt?: number;
  readonly lastFailure?: string;
  readonly nextAttemptTime?: string;
  /** Of a child. */
  readonly workflowId?: string;
  readonly runId?: string;
  /** JSON text. */
  readonly result?: string;
}

/**
 * The events of a run as what they are about, pending on top, then in the order begun.
 * @param activities the view of the same run: its data about running attempts is not in the history yet
 */
export function timelineGroups(
  events: readonly HistoryEvent[],
  activities: readonly ActivityView[],
): readonly TimelineGroup[] {
  const groups = new Map<string, Draft>();
  for (const event of events) {
    const attributes = attributesOf(event);
    const opened = open(event, attributes);
    if (opened !== undefined) groups.set(event.eventId, opened);
    else proceed(groups, event, attributes);
  }
  overlayPending(
    [...groups.values()].filter(({ kind }) => kind === 'activity'),
    activities,
  );
  const close = closeOf(events);
  if (close !== undefined) {
    for (const group of groups.values()) {
      if (group.end === undefined) Object.assign(group, { state: 'left', end: close });
    }
  }
  return [...groups.values()].toSorted(
    (left, right) => Number(right.end === undefined) - Number(left.end === undefined) || left.start - right.start,
  );
}

/** When a run ended; undefined as long as it goes on. */
export function closeOf(events: readonly HistoryEvent[]): number | undefined {
  const last = events.at(-1);
  return last !== undefined &&
    /^WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED|TERMINATED|TIMED_OUT|CONTINUED_AS_NEW)$/.test(typeOf(last))
    ? timeOf(last)
    : undefined;
}

type Draft = { -readonly [Key in keyof TimelineGroup]: TimelineGroup[Key] };

function open(event: HistoryEvent, attributes: Attributes): Draft | undefined {
  const common = { events: [event.eventId], start: timeOf(event) };
  switch (typeOf(event)) {
    case 'ACTIVITY_TASK_SCHEDULED':
      return { ...common, kind: 'activity', name: attributes.activityType?.name ?? '', state: 'scheduled' };
    case 'TIMER_STARTED': {
      const milliseconds = durationMs(attributes.startToFireTimeout);
      return {
        ...common,
        kind: 'timer',
        name: attributes.startToFireTimeout ?? '',
        state: 'waiting',
        until: common.start + milliseconds,
      };
    }
    case 'START_CHILD_WORKFLOW_EXECUTION_INITIATED':
      return {
        ...common,
        kind: 'child',
        name: attributes.workflowType?.name ?? '',
        state: 'scheduled',
        ...(attributes.workflowId === undefined ? {} : { workflowId: attributes.workflowId }),
      };
    case 'WORKFLOW_EXECUTION_SIGNALED':
      return { ...common, kind: 'signal', name: attributes.signalName ?? '', state: 'received', end: common.start };
    default:
      return undefined;
  }
}

/** The state that an event leaves its group in. */
const states: Readonly<Record<string, ShownState>> = {
  ACTIVITY_TASK_STARTED: 'started',
  ACTIVITY_TASK_COMPLETED: 'completed',
  ACTIVITY_TASK_FAILED: 'failed',
  ACTIVITY_TASK_TIMED_OUT: 'timed_out',
  ACTIVITY_TASK_CANCELED: 'canceled',
  TIMER_FIRED: 'fired',
  TIMER_CANCELED: 'canceled',
  START_CHILD_WORKFLOW_EXECUTION_FAILED: 'failed',
  CHILD_WORKFLOW_EXECUTION_STARTED: 'started',
  CHILD_WORKFLOW_EXECUTION_COMPLETED: 'completed',
  CHILD_WORKFLOW_EXECUTION_FAILED: 'failed',
  CHILD_WORKFLOW_EXECUTION_TIMED_OUT: 'timed_out',
  CHILD_WORKFLOW_EXECUTION_CANCELED: 'canceled',
  CHILD_WORKFLOW_EXECUTION_TERMINATED: 'terminated',
};

function proceed(groups: ReadonlyMap<string, Draft>, event: HistoryEvent, attributes: Attributes): void {
  const state = states[typeOf(event)];
  if (state === undefined) return;
  const first = attributes.initiatedEventId ?? attributes.scheduledEventId ?? attributes.startedEventId ?? '';
  const group = groups.get(first);
  if (group === undefined) return;
  const failure = failureText(attributes.failure ?? attributes.lastFailure);
  const result = resultText(attributes.result);
  const runId = attributes.workflowExecution?.runId;
  Object.assign(group, {
    state,
    events: [...group.events, event.eventId],
    ...(state === 'started' ? { startedAt: timeOf(event) } : { end: timeOf(event) }),
    ...(attributes.attempt === undefined ? {} : { attempt: attributes.attempt }),
    ...(failure === undefined ? {} : { lastFailure: failure }),
    ...(result === undefined ? {} : { result }),
    ...(runId === undefined ? {} : { runId }),
  });
}

/** Both are in the order scheduled. */
function overlayPending(groups: readonly Draft[], activities: readonly ActivityView[]): void {
  for (const [index, group] of groups.entries()) {
    const view = activities[index];
    if (group.end !== undefined || view === undefined || view.type !== group.name || view.closeTime !== undefined) {
      continue;
    }
    const { state, attempt, lastFailure, nextAttemptTime } = view;
    Object.assign(group, {
      state,
      attempt,
      ...(lastFailure === undefined ? {} : { lastFailure }),
      ...(nextAttemptTime === undefined ? {} : { nextAttemptTime }),
    });
  }
}

function timeOf({ eventTime }: HistoryEvent): number {
  return Date.parse(eventTime);
}

/** A duration as Temporal writes it in JSON: `120s`, `0.500s`. */
function durationMs(text: string | undefined): number {
  const seconds = Number(text?.replace(/s$/, ''));
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}
