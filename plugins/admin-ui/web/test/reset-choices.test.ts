import type { HistoryEvent } from '../src/operations/api/history-event';
import { resetChoices } from '../src/operations/actions/reset-choices';

/** An event as the history endpoint gives it; attributes are in a member that contains the type. */
function event(eventId: number, type: string, attributes: object = {}): HistoryEvent {
  return {
    eventId: String(eventId),
    eventTime: '2026-01-01T00:00:00Z',
    eventType: `EVENT_TYPE_${type}`,
    ...{ attributesEventAttributes: attributes },
  };
}

const completed = (eventId: number) => event(eventId, 'WORKFLOW_TASK_COMPLETED');
const scheduled = (eventId: number, task: number, name: string) =>
  event(eventId, 'ACTIVITY_TASK_SCHEDULED', {
    workflowTaskCompletedEventId: String(task),
    activityType: { name },
  });
const initiated = (eventId: number, task: number, workflowId: string) =>
  event(eventId, 'START_CHILD_WORKFLOW_EXECUTION_INITIATED', {
    workflowTaskCompletedEventId: String(task),
    workflowId,
  });

const beginning = { value: 'FIRST_TASK', label: 'The beginning: all steps run again' };
const lastStep = { value: 'LAST_TASK', label: 'The last step' };

describe('the points of a reset', () => {
  it('begin with the one before the activity that failed last', () => {
    const events = [
      completed(4),
      scheduled(5, 4, 'sendOrderPlacedNotification'),
      event(7, 'ACTIVITY_TASK_COMPLETED', { scheduledEventId: '5' }),
      completed(10),
      scheduled(11, 10, 'waitForPayment'),
      event(13, 'ACTIVITY_TASK_TIMED_OUT', { scheduledEventId: '11' }),
      completed(16),
    ];

    expect(resetChoices(events)).toMatchObject({
      proposed: 'FAILED_STEP',
      named: [{ value: 'FAILED_STEP', label: 'Before waitForPayment, which failed' }, beginning, lastStep],
    });
  });

  it.each([
    'CHILD_WORKFLOW_EXECUTION_FAILED',
    'CHILD_WORKFLOW_EXECUTION_TIMED_OUT',
    'CHILD_WORKFLOW_EXECUTION_TERMINATED',
    'START_CHILD_WORKFLOW_EXECUTION_FAILED',
  ])('know a child by %s', (type) => {
    const events = [completed(4), initiated(5, 4, 'consignment-1'), event(9, type, { initiatedEventId: '5' })];

    expect(resetChoices(events)).toMatchObject({
      proposed: 'FAILED_STEP',
      named: [{ value: 'FAILED_STEP', label: 'Before consignment-1, which failed' }, beginning, lastStep],
    });
  });

  it('begin with the compensation where one has failed, which is found by name', () => {
    const events = [
      completed(4),
      initiated(5, 4, 'consignment-1'),
      event(9, 'CHILD_WORKFLOW_EXECUTION_FAILED', { initiatedEventId: '5' }),
      completed(12),
      scheduled(13, 12, 'refundPayment'),
      event(15, 'ACTIVITY_TASK_FAILED', { scheduledEventId: '13' }),
    ];

    expect(resetChoices(events)).toMatchObject({
      proposed: 'COMPENSATION',
      named: [
        { value: 'COMPENSATION', label: 'Before the compensation that failed' },
        { value: 'FAILED_STEP', label: 'Before consignment-1, which failed' },
        beginning,
        lastStep,
      ],
    });
  });

  it('propose none where nothing failed', () => {
    expect(resetChoices([completed(4)])).toEqual({
      proposed: undefined,
      named: [beginning, lastStep],
      events: [{ value: '4', label: 'Event 4, before: waiting' }],
    });
  });
});
