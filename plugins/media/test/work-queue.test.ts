import { createWorkQueue } from '../src/work-queue';

describe('the queue of pictures', () => {
  it('lets only so many be worked on at a time, in their order', async () => {
    const queue = createWorkQueue(2, 10);
    const [begun, gates]: [number[], (() => void)[]] = [[], []];
    const work = [0, 1, 2, 3].map((index) =>
      queue(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => gates.push(resolve));
        return index;
      }),
    );
    expect(begun).toEqual([0, 1]);
    gates[1]?.();
    await work[1];
    expect(begun).toEqual([0, 1, 2]);
    gates[0]?.();
    gates[2]?.();
    await Promise.all([work[0], work[2]]);
    gates[3]?.();

    expect(await Promise.all(work)).toEqual([0, 1, 2, 3]);
  });

  it('continues after work that failed', async () => {
    const queue = createWorkQueue(1, 10);
    const failing = queue(() => Promise.reject(new Error('broken')));
    const next = queue(() => Promise.resolve('done'));

    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('refuses what would wait too long', async () => {
    const queue = createWorkQueue(1, 1);
    let finish = (): void => undefined;
    const running = queue(() => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = queue(() => Promise.resolve());

    await expect(queue(() => Promise.resolve())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    finish();
    await Promise.all([running, waiting]);
  });
});
