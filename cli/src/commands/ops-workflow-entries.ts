import { describeTaskFailure } from '@gantry/contracts';
import {
  attributesOf,
  failureText,
  payloadText,
  timeOf,
  typeOf,
  type Attributes,
  type HistoryEvent,
} from './ops-events';
import type { Entry, EntryTone } from './ops-entry';

/**
 * The events of the workflow itself. Workflow tasks are omitted unless one failed; types that are
 * not known here are shown by their name.
 */
export function workflowEntry(event: HistoryEvent, attributes: Attributes): Entry | undefined {
  const type = typeOf(event);
  const entryOf = (state: string, tone: EntryTone, ...remarks: readonly (string | undefined)[]): Entry => ({
    kind: 'workflow',
    name: '',
    state,
    tone,
    start: timeOf(event),
    remarks: remarks.filter((remark) => remark !== undefined && remark !== '') as readonly string[],
  });
  const failure = failureText(attributes.failure);
  switch (type) {
    case 'WORKFLOW_EXECUTION_STARTED':
      return entryOf(`started on ${attributes.taskQueue?.name ?? 'its queue'}`, 'good', requestOf(attributes));
    case 'WORKFLOW_EXECUTION_COMPLETED':
      return entryOf(withResult('completed', attributes), 'good');
    case 'WORKFLOW_EXECUTION_FAILED':
      return entryOf('failed', 'bad', failure);
    case 'WORKFLOW_EXECUTION_TIMED_OUT':
      return entryOf('timed out', 'bad');
    case 'WORKFLOW_EXECUTION_CANCEL_REQUESTED':
      return entryOf('cancellation requested', 'quiet', attributes.cause || asker(attributes));
    case 'WORKFLOW_EXECUTION_CANCELED':
      return entryOf('canceled', 'quiet');
    case 'WORKFLOW_EXECUTION_TERMINATED':
      return entryOf('terminated', 'bad', attributes.reason || asker(attributes));
    case 'WORKFLOW_EXECUTION_CONTINUED_AS_NEW':
      return entryOf('continued in a new run', 'quiet');
    case 'WORKFLOW_TASK_FAILED':
      return entryOf(...failedTask(attributes), failure);
    case 'WORKFLOW_TASK_TIMED_OUT':
      return isLostTask(attributes)
        ? entryOf('its worker ended or was too slow; the step is tried again', 'quiet')
        : undefined;
    default:
      return isRelevant(event) ? entryOf(type.replaceAll('_', ' ').toLowerCase(), 'quiet') : undefined;
  }
}

/** Why an operation on an order was requested, and by whom. */
function requestOf({ memo }: Attributes): string | undefined {
  const textOf = (name: string): string | undefined => payloadText(memo?.fields?.[name])?.replaceAll(/^"|"$/g, '');
  const [reason, by] = [textOf('reason'), textOf('requestedBy')];
  if (reason === undefined) return by === undefined ? undefined : `requested by ${by}`;
  return by === undefined ? reason : `${reason} (requested by ${by})`;
}

function failedTask({ cause }: Attributes): readonly [state: string, tone: EntryTone] {
  if (cause?.endsWith('RESET_WORKFLOW') === true) return ['reset: the events above are kept', 'quiet'];
  const { isCode, text } = describeTaskFailure(cause);
  return [text, isCode ? 'bad' : 'quiet'];
}

/** A task on the sticky queue of a worker moves to another worker after a while, which is normal and omitted. */
function isLostTask({ timeoutType }: Attributes): boolean {
  return timeoutType?.endsWith('START_TO_CLOSE') === true;
}

function withResult(state: string, { result }: Attributes): string {
  const text = payloadText(result?.payloads?.[0]);
  return text === undefined || text === 'null' ? state : `${state}: ${text}`;
}

function asker({ identity }: Attributes): string | undefined {
  return identity === undefined || identity === '' ? undefined : `by ${identity}`;
}

/** Neither a workflow task nor a step of something that has a separate entry. */
function isRelevant(event: HistoryEvent): boolean {
  const { scheduledEventId, startedEventId, initiatedEventId } = attributesOf(event);
  if ((scheduledEventId ?? startedEventId ?? initiatedEventId) !== undefined) return false;
  return !/^(WORKFLOW_TASK_|ACTIVITY_TASK_CANCEL_REQUESTED|MARKER_RECORDED|UPSERT_WORKFLOW_SEARCH_ATTRIBUTES|WORKFLOW_PROPERTIES_MODIFIED)/.test(
    typeOf(event),
  );
}
