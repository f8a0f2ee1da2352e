import {
  createDeliverySchedule,
  type Attempt,
  type DeliverySchedule,
  type ScheduleChanges,
  type ScheduleOptions,
} from '../src/delivery/delivery-schedule';
import { formatPosition, type Position } from '@gantry/core-database';

interface Change {
  readonly position: Position;
  readonly item: string;
}

const dayMs = 24 * 60 * 60_000;

describe('the schedule of deliveries', () => {
  it('sends changes of different items at once, and those of one item one after the other', () => {
    const schedule = scheduleOf('a1', 'b2', 'a3');

    const first = takeAll(schedule);
    expect(labelsOf(first)).toEqual(['a1', 'b2']);
    schedule.succeeded(first.slice(0, 1));
    expect(labelsOf(takeAll(schedule))).toEqual(['a3']);
  });

  it('moves the cursor up to the first change that is on its way', () => {
    const schedule = scheduleOf('a1', 'b2', 'c3');
    const [a, b, c] = takeAll(schedule);

    schedule.succeeded([c as never]);
    expect(cursorOf(schedule)).toBe('1.0.0');
    schedule.succeeded([a as never]);
    expect(cursorOf(schedule)).toBe('1.1.0');
    schedule.succeeded([b as never]);
    expect(cursorOf(schedule)).toBe('1.9.0');
  });

  it('puts a change that fails aside with later ones of its item, so that the cursor passes them and others go on', () => {
    const schedule = scheduleOf('a1', 'b2', 'a3');
    const [a, b] = takeAll(schedule);

    schedule.failed([a as never], 'Status 500.', 1_000);
    schedule.succeeded([b as never]);
    const { cursor, waiting } = schedule.changes(1_000) as never as ScheduleChanges;
    expect(formatPosition(cursor)).toBe('1.9.0');
    expect(waiting).toEqual([
      { position: ['1', '1', '0'], item: 'a', attempts: 1, since: 1_000, dueAt: 2_000, error: 'Status 500.' },
      { position: ['1', '3', '0'], item: 'a', attempts: 0, since: 1_000, dueAt: 0, error: null },
    ]);
    expect(takeAll(schedule, 1_999)).toEqual([]);
    const again = takeAll(schedule, 2_000);
    expect(again).toEqual([{ change: undefined, position: ['1', '1', '0'], item: 'a', number: 2 }]);
    schedule.succeeded(again);
    expect(schedule.changes(2_000)).toMatchObject({ settled: [['1', '1', '0']], waiting: [] });
    expect(takeAll(schedule, 2_000)).toMatchObject([{ position: ['1', '3', '0'], number: 1 }]);
  });

  it('waits twice as long after each failure, five minutes at most, and as long as the receiver asks for', () => {
    const schedule = scheduleOf('a1');
    const waits: number[] = [];
    let now = 0;
    for (let attempt = 0; attempt < 11; attempt += 1) {
      schedule.failed(takeAll(schedule, now), 'Status 503.', now, attempt === 10 ? now + 3_600_000 : 0);
      const next = schedule.nextAt(now) ?? 0;
      waits.push((next - now) / 1_000);
      now = next;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 3_600]);
  });

  it('gives a change up that is refused for a day, and goes on with the next one of its item', () => {
    const schedule = scheduleOf('a1', 'a2');
    schedule.failed(takeAll(schedule, 0), 'Status 400.', 0);
    schedule.changes(0);
    schedule.failed(takeAll(schedule, dayMs), 'Status 400.', dayMs);

    expect(schedule.changes(dayMs)).toMatchObject({
      givenUp: [{ position: ['1', '1', '0'], attempts: 2, error: 'Status 400.' }],
      settled: [['1', '1', '0']],
    });
    expect(labelsOf(takeAll(schedule, dayMs))).toEqual(['a2']);
  });

  it('continues with what waited before a restart, in order and with its attempts', () => {
    const waiting = [
      { position: ['1', '1', '0'] as const, item: 'a', attempts: 3, since: 0, dueAt: 5_000, error: 'Status 500.' },
      { position: ['1', '2', '0'] as const, item: 'a', attempts: 0, since: 0, dueAt: 0, error: null },
    ];
    const schedule = createDeliverySchedule<Change>({ cursor: ['1', '9', '0'], waiting, giveUpAfterMs: dayMs });

    expect(takeAll(schedule, 4_999)).toEqual([]);
    expect(takeAll(schedule, 5_000)).toMatchObject([{ position: ['1', '1', '0'], number: 4 }]);
  });

  it('tries new changes one at a time and ever more rarely while the receiver fails as a whole, and all when it is back', () => {
    const labels = Array.from({ length: 20 }, (_, index) => `${String.fromCharCode(97 + index)}${index + 1}`);
    const schedule = scheduleOf(...labels);
    for (let failure = 0; failure < 8; failure += 1) schedule.failed(schedule.take(0), 'connect ECONNREFUSED', 0);

    expect(takeAll(schedule, 0)).toHaveLength(1);
    expect(takeAll(schedule, 0)).toEqual([]);
    expect(schedule.nextAt(0)).toBe(1_000);
    const probe = takeAll(schedule, 10_000).filter(({ number }) => number === 1);
    expect(probe).toHaveLength(1);
    schedule.succeeded(probe);
    expect(takeAll(schedule, 10_000).filter(({ number }) => number === 1)).toHaveLength(10);
  });

  it('goes on at full speed when changes cannot be sent, because their type is not in use', () => {
    const schedule = scheduleOf('a1', 'b2', 'c3');

    for (let failure = 0; failure < 9; failure += 1) {
      const taken = takeAll(schedule, failure * 600_000).filter(({ item }) => item === 'a');
      schedule.failed(taken, 'Not in use.', failure * 600_000, 0, true);
    }
    expect(schedule.failuresInARow).toBe(0);
  });

  it('stores what takes long as waiting, so that the cursor passes it', () => {
    const schedule = scheduleOf('a1', 'b2');
    const [a, b] = takeAll(schedule, 0);
    schedule.succeeded([b as never]);

    expect(formatPosition((schedule.changes(1_000) as never as ScheduleChanges).cursor)).toBe('1.9.0');
    schedule.succeeded([a as never]);
    expect(schedule.changes(1_000)).toMatchObject({ settled: [['1', '1', '0']], waiting: [] });
  });

  it('gives several changes of different items at once to who takes batches, and one that failed by itself', () => {
    const schedule = scheduleOf('a1', 'b2', 'a3', 'c4');
    const batch = schedule.take(0, 10);
    expect(labelsOf(batch)).toEqual(['a1', 'b2', 'c4']);

    schedule.failed(batch, 'No.', 0);
    expect(schedule.take(1_000, 10)).toHaveLength(1);
  });
});

/** Changes by labels of an item and a number: `a1`. */
function scheduleOf(...labels: readonly string[]): DeliverySchedule<Change> {
  const options: ScheduleOptions = { cursor: ['1', '0', '0'], waiting: [], giveUpAfterMs: dayMs, random: () => 1 };
  const schedule = createDeliverySchedule<Change>(options);
  const changes = labels.map((label) => ({ position: ['1', label.slice(1), '0'] as const, item: label.slice(0, 1) }));
  schedule.add(changes, ['1', '9', '0'], 0);
  return schedule;
}

function takeAll(schedule: DeliverySchedule<Change>, now = 0): readonly Attempt<Change>[] {
  const taken: Attempt<Change>[] = [];
  for (;;) {
    const next = schedule.take(now);
    if (next.length === 0) return taken;
    taken.push(...next);
  }
}

function labelsOf(attempts: readonly Attempt<Change>[]): readonly string[] {
  return attempts.map(({ item, position }) => `${item}${position[1]}`);
}

function cursorOf(schedule: DeliverySchedule<Change>): string {
  return formatPosition(schedule.changes(0)?.cursor ?? ['1', '0', '0']);
}
