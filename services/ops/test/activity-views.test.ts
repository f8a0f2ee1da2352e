import { activityViews } from '../src/history/activity-views';
import type { HistoryEvent } from '../src/history/history';

describe('the activities of a run', () => {
  test('that were scheduled after the run was described are scheduled, not canceled', () => {
    const described = { pending: [], describedEvents: 3, isWhole: true };

    expect(activityViews([scheduled('5')], described)).toMatchObject([{ type: 'sendMail', state: 'scheduled' }]);
  });

  test('that were scheduled before, are not pending and have no end were canceled', () => {
    const described = { pending: [], describedEvents: 5, isWhole: true };

    expect(activityViews([scheduled('5')], described)).toMatchObject([{ type: 'sendMail', state: 'canceled' }]);
  });
});

function scheduled(eventId: string): HistoryEvent {
  return {
    eventId,
    eventTime: '2026-11-29T10:00:00Z',
    eventType: 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
    activityTaskScheduledEventAttributes: {
      activityId: '1',
      activityType: { name: 'sendMail' },
      workflowTaskCompletedEventId: '4',
    },
  };
}
