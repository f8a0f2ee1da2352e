import { endsWithin, pause, poll, unlessAborted, withTimeout } from '../src/timing';

const never = new Promise<never>(() => {});

describe('withTimeout', () => {
  it('returns what the code returns in time', async () => {
    expect(
      await withTimeout(
        1_000,
        () => 'done',
        () => new Error('late'),
      ),
    ).toBe('done');
  });

  it('throws what it is given when the time is over', async () => {
    await expect(
      withTimeout(
        5,
        () => never,
        () => new Error('late'),
      ),
    ).rejects.toThrow('late');
  });
});

describe('endsWithin', () => {
  it.each([
    [true, Promise.resolve()],
    [false, never],
  ])('answers %s', async (inTime, work) => {
    expect(await endsWithin(work, 20)).toBe(inTime);
  });

  it('passes a failure on', async () => {
    await expect(endsWithin(Promise.reject(new Error('broken')), 1_000)).rejects.toThrow('broken');
  });
});

describe('unlessAborted', () => {
  it('waits for the work', async () => {
    expect(await unlessAborted(Promise.resolve(7), new AbortController().signal)).toBe(7);
  });

  it.each([
    ['before', 0],
    ['while it waits', 5],
  ])('throws the reason of a signal that aborts %s', async (_when, afterMs) => {
    const stopping = new AbortController();
    const abort = (): void => stopping.abort(new Error('stopped'));
    if (afterMs === 0) abort();
    else setTimeout(abort, afterMs);

    await expect(unlessAborted(never, new AbortController().signal, stopping.signal)).rejects.toThrow('stopped');
  });
});

describe('pause', () => {
  it('ends when the signal aborts', async () => {
    await expect(pause(60_000, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('poll', () => {
  it('asks until there is a value', async () => {
    let asked = 0;
    expect(await poll(() => (++asked === 3 ? asked : undefined), 1_000, 1)).toBe(3);
  });

  it('gives up when the time is over, and when the signal aborts', async () => {
    expect(await poll(() => undefined, 5, 1)).toBeUndefined();
    await expect(poll(() => undefined, 1_000, 1, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
