import { withinLimit } from '../../src/execution/phase-limit';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('the limit of a phase counts the time of its own work alone, and says until when it looks again', async () => {
  let isAway = true;
  const told: number[] = [];
  const never = (): Promise<never> => new Promise(() => undefined);
  const run = withinLimit({ timeoutMs: 2_500, isWaiting: () => Promise.resolve(isAway) }, never, (next) => {
    told.push(next);
  });
  const outcome = expect(run).rejects.toThrow('It did not finish within 2.5 s');

  await jest.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(60);
  isAway = false;
  await jest.advanceTimersByTimeAsync(1_000);
  isAway = true;
  await jest.advanceTimersByTimeAsync(10_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(1_499);
  expect(new Set(told)).toEqual(new Set([3_500, 2_500]));
  await jest.advanceTimersByTimeAsync(1);
  await outcome;
});

it('the limit of a phase ends with its work', async () => {
  const isWaiting = jest.fn(() => Promise.resolve(true));
  expect(await withinLimit({ timeoutMs: 2_000, isWaiting }, () => 'done', jest.fn())).toBe('done');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(isWaiting).not.toHaveBeenCalled();
});
