import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryEvent } from '../web/src/operations/api/history-event';
import { closeOf, timelineGroups } from '../web/src/operations/timeline/timeline-groups';

const folder = join(__dirname, '../../../test/workflows/fixtures/histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe('the timeline of a history', () => {
  it.each(names)('%s has every activity, timer, child and signal once, with all its events', (name) => {
    const events = read(name);
    const groups = timelineGroups(events, []);
    const drawn = groups.flatMap((group) => group.events);

    const expected = events.filter(({ eventType }) =>
      /_(ACTIVITY_TASK|TIMER|CHILD_WORKFLOW_EXECUTION)_|_SIGNALED$/.test(eventType),
    );
    const requests = expected
      .filter(({ eventType }) => !/CANCEL_REQUESTED/.test(eventType))
      .map(({ eventId }) => eventId);
    expect(drawn.toSorted(byNumber)).toEqual(requests);
  });

  it.each(names)('%s leaves nothing open once its run has ended', (name) => {
    const events = read(name);

    expect(closeOf(events)).toBeDefined();
    expect(timelineGroups(events, []).filter(({ end }) => end === undefined)).toEqual([]);
  });

  it('puts open steps first, with the attempt that runs and why the one before failed', () => {
    const delivered = read('order.delivered.json');
    const events = delivered.slice(0, delivered.findIndex(isScheduled) + 1);
    const view = {
      type: 'sendOrderPlacedNotification',
      state: 'scheduled',
      taskQueue: 'email-tq',
      attempt: 3,
      scheduledTime: '2026-01-01T00:00:00Z',
      lastFailure: 'no mail server',
    } as const;

    expect(timelineGroups(events, [view])).toMatchObject([
      {
        kind: 'activity',
        name: 'sendOrderPlacedNotification',
        state: 'scheduled',
        attempt: 3,
        lastFailure: 'no mail server',
      },
    ]);
  });
});

function read(name: string): readonly HistoryEvent[] {
  return (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { events: readonly HistoryEvent[] }).events;
}

function byNumber(left: string, right: string): number {
  return Number(left) - Number(right);
}

function isScheduled({ eventType }: HistoryEvent): boolean {
  return eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED';
}
