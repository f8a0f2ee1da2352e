import { createPace } from '../web/src/content/reference/pace';

describe('the pace of a picker', () => {
  it('lets requests begin one after the other, however they come', async () => {
    const pace = createPace(60);
    const { signal } = new AbortController();
    const times: number[] = [];
    const begin = async (): Promise<void> => {
      await pace(signal);
      times.push(performance.now());
    };
    await begin();
    await Promise.all([begin(), begin()]);

    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.filter((gap) => gap < 59)).toEqual([]);
    expect(gaps).toHaveLength(2);
  });

  it('gives up a request that is no longer wanted, and leaves it to the next', async () => {
    const pace = createPace(60);
    await pace(new AbortController().signal);
    const overtaken = new AbortController();
    const waiting = pace(overtaken.signal);
    overtaken.abort(new Error('overtaken'));

    await expect(waiting).rejects.toThrow('overtaken');
    await pace(new AbortController().signal);
  });
});
