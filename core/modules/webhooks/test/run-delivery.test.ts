import { startDelivery, type Delivery, type DeliveryOptions } from '../src/delivery/run-delivery';

const change = { json: '{}' } as Awaited<ReturnType<DeliveryOptions['feed']['read']>>['changes'][number];

describe('a delivery whose subscription somebody else has taken over', () => {
  it('cancels what it sends, releases nothing, and begins again', async () => {
    const sent: AbortSignal[] = [];
    const released: string[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const delivery = start({
      send: (signal) => {
        sent.push(signal);
        begin();
      },
      release: (id) => released.push(id),
    });
    await begun;

    delivery.giveWay();

    expect(await delivery.done).toEqual({ next: 'again' });
    expect(sent.map(({ aborted }) => aborted)).toEqual([true]);
    expect(released).toEqual([]);
  });
});

/** Of one change, whose receiver never answers. */
function start(seen: { send(signal: AbortSignal): void; release(id: string): void }): Delivery {
  const position = ['0', '1', '1'] as const;
  return startDelivery({
    id: 'hook',
    claim: { lease: 'lease', cursor: ['0', '0', '0'], waiting: [] },
    feed: {
      read: () =>
        Promise.resolve({ changes: [{ ...change, position, item: 'article 1' }], next: position, hasMore: false }),
    } as unknown as DeliveryOptions['feed'],
    store: {
      store: () => Promise.resolve(true),
      release: (id: string) => Promise.resolve(seen.release(id)),
    } as unknown as DeliveryOptions['store'],
    receiver: {
      types: [],
      concurrency: 1,
      batchSize: 1,
      wants: () => true,
      send: (_changes, _attempt, signal) => {
        seen.send(signal);
        return new Promise(() => undefined);
      },
    },
    signal: new AbortController().signal,
    giveUpAfterMs: 60_000,
    heartbeat: () => undefined,
  });
}
