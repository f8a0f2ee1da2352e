import { attributesOf } from '../src/commands/ops-events';
import { workflowEntry } from '../src/commands/ops-workflow-entries';

describe('a workflow task in gantry ops history', () => {
  it.each([
    ['WORKFLOW_WORKER_UNHANDLED_FAILURE', 'its code failed', 'bad'],
    ['NON_DETERMINISTIC_ERROR', 'its code does not fit its history', 'bad'],
    [
      'BAD_SCHEDULE_ACTIVITY_ATTRIBUTES',
      'Temporal refused what its code asked for (BAD_SCHEDULE_ACTIVITY_ATTRIBUTES)',
      'bad',
    ],
    ['FORCE_CLOSE_COMMAND', 'it ended while a worker had its next step in hand', 'quiet'],
    ['UNHANDLED_COMMAND', 'an event came while it was about to end; the step is decided again', 'quiet'],
    ['RESET_WORKFLOW', 'reset: the events above are kept', 'quiet'],
    ['SYSTEM_ERROR', 'its step failed (SYSTEM_ERROR); it is tried again', 'quiet'],
  ])('that failed with %s is shown with its cause', (cause, state, tone) => {
    const workflowTaskFailedEventAttributes = { cause: `WORKFLOW_TASK_FAILED_CAUSE_${cause}` };

    expect(entryOf('WORKFLOW_TASK_FAILED', { workflowTaskFailedEventAttributes })).toMatchObject({ state, tone });
  });

  it.each([
    ['START_TO_CLOSE', 'its worker ended or was too slow; the step is tried again'],
    ['SCHEDULE_TO_START', undefined],
  ])('that timed out with %s is shown where a worker executed it', (type, state) => {
    const workflowTaskTimedOutEventAttributes = { timeoutType: `TIMEOUT_TYPE_${type}` };

    expect(entryOf('WORKFLOW_TASK_TIMED_OUT', { workflowTaskTimedOutEventAttributes })?.state).toBe(state);
  });
});

function entryOf(type: string, attributes: object) {
  const event = { eventId: '5', eventTime: '2030-01-31T00:00:00Z', eventType: `EVENT_TYPE_${type}`, ...attributes };
  return workflowEntry(event, attributesOf(event));
}
