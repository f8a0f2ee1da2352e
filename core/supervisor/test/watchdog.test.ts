import { createWatchdog, type Watchdog } from '../src/child/watchdog';
import { eventually } from '../../../test/support/eventually';

const mebibyte = 1024 * 1024;
const silent: string[] = [];
let memory: number;
let busyMs: number;
let looks: number;
let watchdog: Watchdog;

beforeEach(() => {
  silent.length = 0;
  memory = 200 * mebibyte;
  busyMs = 1_000;
  looks = 0;
  watchdog = createWatchdog(
    { graceMs: 60_000, silenceMs: 600_000, silenceWhileGrowingMs: 10, busyMs: 4_000 },
    (why) => silent.push(why),
    {
      memory: () => {
        looks += 1;
        return memory;
      },
      busyMs: () => busyMs,
    },
  );
});
afterEach(() => watchdog.stop());

describe('a host that gives no heartbeat', () => {
  it('is blocked soon when its memory grows meanwhile', async () => {
    watchdog.alive(200 * mebibyte);
    memory = 460 * mebibyte;
    await eventually(() => silent.length > 0, 'it is blocked');
    expect(silent).toEqual(['host-silent']);
  });

  it('is blocked as soon as its memory has grown, and not before', async () => {
    watchdog.alive(200 * mebibyte);
    await eventually(() => looks > 1, 'its memory was read twice');
    expect(silent).toEqual([]);
    memory = 460 * mebibyte;
    await eventually(() => silent.length > 0, 'it is blocked');
  });

  it('is blocked when its main thread has used four seconds of the processor since, and not before', async () => {
    watchdog.alive(200 * mebibyte);
    busyMs = 4_900;
    await eventually(() => looks > 1, 'its usage was read twice');
    expect(silent).toEqual([]);
    busyMs = 5_000;
    await eventually(() => silent.length > 0, 'it is blocked');
    expect(silent).toEqual(['host-silent']);
  });
});
