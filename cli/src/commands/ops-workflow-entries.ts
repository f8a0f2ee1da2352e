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
 * What befell the workflow itself. Its tasks, by which workers carry it on, are no news unless one failed; types that are
 * not known here are told by their name.
 */
export function workflowEntry(event: HistoryEvent, attributes: Attributes): Entry | undefined {
  const type = typeOf(event);
  const tell = (state: string, tone: EntryTone, ...remarks: readonly (string | undefined)[]): Entry => ({
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
      return tell(`started on ${attributes.taskQueue?.name ?? 'its queue'}`, 'good', askedIn(attributes));
    case 'WORKFLOW_EXECUTION_COMPLETED':
      return tell(withResult('completed', attributes), 'good');
    case 'WORKFLOW_EXECUTION_FAILED':
      return tell('failed', 'bad', failure);
    case 'WORKFLOW_EXECUTION_TIMED_OUT':
      return tell('timed out', 'bad');
    case 'WORKFLOW_EXECUTION_CANCEL_REQUESTED':
      return tell('asked to end', 'quiet', attributes.cause || asker(attributes));
    case 'WORKFLOW_EXECUTION_CANCELED':
      return tell('canceled', 'quiet');
    case 'WORKFLOW_EXECUTION_TERMINATED':
      return tell('terminated', 'bad', attributes.reason || asker(attributes));
    case 'WORKFLOW_EXECUTION_CONTINUED_AS_NEW':
      return tell('continued in a new run', 'quiet');
    case 'WORKFLOW_TASK_FAILED':
      return tell(...failedTask(attributes), failure);
    case 'WORKFLOW_TASK_TIMED_OUT':
      return isLostTask(attributes)
        ? tell('its worker ended or was too slow; the step is tried again', 'quiet')
        : undefined;
    default:
      return isNews(event) ? tell(type.replaceAll('_', ' ').toLowerCase(), 'quiet') : undefined;
  }
}

/** Why an operation on an order was asked for, and by whom. */
function askedIn({ memo }: Attributes): string | undefined {
  const textOf = (name: string): string | undefined => payloadText(memo?.fields?.[name])?.replaceAll(/^"|"$/g, '');
  const [reason, by] = [textOf('reason'), textOf('requestedBy')];
  if (reason === undefined) return by === undefined ? undefined : `asked by ${by}`;
  return by === undefined ? reason : `${reason} (asked by ${by})`;
}

function failedTask({ cause }: Attributes): readonly [state: string, tone: EntryTone] {
  if (cause?.endsWith('RESET_WORKFLOW') === true) return ['reset: what stands above is taken as given', 'quiet'];
  const { isCode, text } = describeTaskFailure(cause);
  return [text, isCode ? 'bad' : 'quiet'];
}

/** A task that was kept for the worker which knows the workflow goes to any other after a while, which is no news. */
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

/** Neither a workflow task nor a step of something that has an entry of its own. */
function isNews(event: HistoryEvent): boolean {
  const { scheduledEventId, startedEventId, initiatedEventId } = attributesOf(event);
  if ((scheduledEventId ?? startedEventId ?? initiatedEventId) !== undefined) return false;
  return !/^(WORKFLOW_TASK_|ACTIVITY_TASK_CANCEL_REQUESTED|MARKER_RECORDED|UPSERT_WORKFLOW_SEARCH_ATTRIBUTES|WORKFLOW_PROPERTIES_MODIFIED)/.test(
    typeOf(event),
  );
}
