import { limitTo } from '../src/accounts/limit-to';

/** Work of 10 ms each by the clock of the test. Keeps when each began. */
function workOf10Ms() {
  const begun: number[] = [];
  const work = async (): Promise<void> => {
    begun.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { begun, work };
}

function refuse(): never {
  throw new Error('too many');
}

describe('work that takes a core', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('rests three times as long as it worked while others wait', async () => {
    const { begun, work } = workOf10Ms();
    const limited = limitTo({ maxAtOnce: 1, maxWaiting: 50, restFactor: 3 }, refuse);

    const all = Promise.all([limited(work), limited(work), limited(work)]);
    await jest.advanceTimersByTimeAsync(1_000);
    await all;

    const [first = 0, ...others] = begun;
    expect(others.map((time) => time - first)).toEqual([40, 80]);
  });

  it('begins at once where nothing waits', async () => {
    const { begun, work } = workOf10Ms();
    const limited = limitTo({ maxAtOnce: 1, maxWaiting: 50, restFactor: 3 }, refuse);

    const both = limited(work).then(() => limited(work));
    await jest.advanceTimersByTimeAsync(1_000);
    await both;

    const [first = 0, second = 0] = begun;
    expect(second - first).toBe(10);
  });

  it('gives its place to the next one when it fails', async () => {
    const { begun, work } = workOf10Ms();
    const limited = limitTo({ maxAtOnce: 1, maxWaiting: 1, restFactor: 3 }, refuse);

    const outcomes = Promise.allSettled([
      limited(() => Promise.reject(new Error('broken'))),
      limited(work),
      limited(work),
    ]);
    await jest.advanceTimersByTimeAsync(1_000);

    const reasons = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? String(outcome.reason) : 'done',
    );
    expect(reasons).toEqual(['Error: broken', 'done', 'Error: too many']);
    expect(begun).toHaveLength(1);
  });
});
