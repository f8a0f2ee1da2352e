import type { ActivityView } from '@gantry/contracts';
import { duration } from '../terminal/duration';
import type { Entry, EntryTone } from './ops-entry';
import {
  attributesOf,
  failureText,
  milliseconds,
  payloadText,
  timeOf,
  typeOf,
  type Attributes,
  type HistoryEvent,
} from './ops-events';
import { workflowEntry } from './ops-workflow-entries';

type Draft = { -readonly [Key in keyof Entry]: Entry[Key] };

/**
 * The events of a run as what they are about, in the order begun.
 * @param activities the view of the same run: its data about open attempts is not in the history yet
 */
export function timelineOf(events: readonly HistoryEvent[], activities: readonly ActivityView[]): readonly Entry[] {
  const entries = new Map<string, Draft>();
  for (const event of events) {
    const attributes = attributesOf(event);
    const opened = openEntry(event, attributes) ?? workflowEntry(event, attributes);
    if (opened !== undefined) entries.set(event.eventId, opened);
    else proceed(entries, event, attributes);
  }
  const all = [...entries.values()];
  addAttempts(
    all.filter(({ kind }) => kind === 'activity'),
    activities,
  );
  const last = events.at(-1);
  const shown = last !== undefined && isEnd(last) ? all.map((entry) => abandoned(entry)) : all;
  // A signal that arrives during a step is shown after that step, with the time of its arrival.
  return shown.toSorted((first, second) => first.start - second.start);
}

/** Whether a run has ended with this event. */
export function isEnd(event: HistoryEvent): boolean {
  return /^WORKFLOW_EXECUTION_(COMPLETED|FAILED|CANCELED|TERMINATED|TIMED_OUT|CONTINUED_AS_NEW)$/.test(typeOf(event));
}

function openEntry(event: HistoryEvent, attributes: Attributes): Draft | undefined {
  const { workflowTaskCompletedEventId: resetPoint } = attributes;
  const common = { start: timeOf(event), remarks: [], ...(resetPoint === undefined ? {} : { resetPoint }) };
  switch (typeOf(event)) {
    case 'ACTIVITY_TASK_SCHEDULED':
      return {
        ...common,
        kind: 'activity',
        name: attributes.activityType?.name ?? '',
        state: `waits in ${attributes.taskQueue?.name ?? 'its queue'}`,
        tone: 'open',
      };
    case 'TIMER_STARTED': {
      const span = duration(milliseconds(attributes.startToFireTimeout));
      return { ...common, kind: 'timer', name: span, state: 'runs', tone: 'open' };
    }
    case 'START_CHILD_WORKFLOW_EXECUTION_INITIATED': {
      const name = `${attributes.workflowId ?? ''} (${attributes.workflowType?.name ?? ''})`;
      return { ...common, kind: 'child', name, state: 'is being started', tone: 'open' };
    }
    case 'WORKFLOW_EXECUTION_SIGNALED': {
      const reason = payloadText(attributes.header?.fields?.['reason']);
      const remarks = reason === undefined ? [] : [reason.replaceAll(/^"|"$/g, '')];
      const state = `received${argumentsText(attributes)}`;
      return { ...common, kind: 'signal', name: attributes.signalName ?? '', state, tone: 'good', remarks };
    }
    default:
      return undefined;
  }
}

/** What came with a signal: `: {"days":2}, 5`. */
function argumentsText({ input }: Attributes): string {
  const texts = (input?.payloads ?? []).flatMap((payload) => payloadText(payload) ?? []);
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

type Progress = readonly [state: string, tone: EntryTone];

/** What an event makes of the entry that it belongs to. */
const progress: Readonly<Record<string, Progress>> = {
  ACTIVITY_TASK_STARTED: ['runs', 'open'],
  ACTIVITY_TASK_COMPLETED: ['completed', 'good'],
  ACTIVITY_TASK_FAILED: ['failed', 'bad'],
  ACTIVITY_TASK_TIMED_OUT: ['timed out', 'bad'],
  ACTIVITY_TASK_CANCELED: ['canceled', 'quiet'],
  TIMER_FIRED: ['elapsed', 'good'],
  TIMER_CANCELED: ['ended early', 'quiet'],
  START_CHILD_WORKFLOW_EXECUTION_FAILED: ['could not be started', 'bad'],
  CHILD_WORKFLOW_EXECUTION_STARTED: ['runs', 'open'],
  CHILD_WORKFLOW_EXECUTION_COMPLETED: ['completed', 'good'],
  CHILD_WORKFLOW_EXECUTION_FAILED: ['failed', 'bad'],
  CHILD_WORKFLOW_EXECUTION_TIMED_OUT: ['timed out', 'bad'],
  CHILD_WORKFLOW_EXECUTION_CANCELED: ['canceled', 'quiet'],
  CHILD_WORKFLOW_EXECUTION_TERMINATED: ['terminated', 'bad'],
};

function proceed(entries: ReadonlyMap<string, Draft>, event: HistoryEvent, attributes: Attributes): void {
  const next = progress[typeOf(event)];
  const first = attributes.initiatedEventId ?? attributes.scheduledEventId ?? attributes.startedEventId ?? '';
  const entry = entries.get(first);
  if (next === undefined || entry === undefined) return;
  const [state, tone] = next;
  const result = payloadText(attributes.result?.payloads?.[0]);
  const failure = failureText(attributes.failure ?? attributes.lastFailure);
  Object.assign(entry, {
    tone,
    state: result === undefined || result === 'null' ? state : `${state}: ${result}`,
    ...(tone === 'open' ? {} : { end: timeOf(event) }),
    ...(failure === undefined ? {} : { remarks: [failure] }),
  });
}

/** Attempts, which the history contains only in part; both are in the order scheduled. */
function addAttempts(entries: readonly Draft[], activities: readonly ActivityView[]): void {
  for (const [index, entry] of entries.entries()) {
    const view = activities[index];
    if (view?.type !== entry.name) continue;
    const { attempt, state, lastFailure } = view;
    if (entry.end === undefined && state === 'started') entry.state = 'runs';
    if (attempt > 1) entry.state += entry.end === undefined ? ` (attempt ${attempt})` : ` after ${attempt} attempts`;
    if (lastFailure !== undefined && entry.remarks.length === 0) entry.remarks = [lastFailure];
  }
}

/** Steps that were still open when the run ended. */
function abandoned(entry: Entry): Entry {
  return entry.tone === 'open' ? { ...entry, state: 'abandoned', tone: 'quiet' } : entry;
}
