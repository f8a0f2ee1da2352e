import { getEventListeners } from 'node:events';
import type { ItemChange } from '@gantry/contracts';
import { followChanges, type ChangeSource, type StreamDependencies } from '../src/api/live/shared-stream';

interface OpenedSource extends ChangeSource {
  readonly after: string | undefined;
  isClosed: boolean;
  emit(name: string, position: string, change?: Partial<ItemChange>): void;
}

/** A browser whose tabs share a lock and a channel, with streams that the test drives. */
function createBrowser() {
  const sources: OpenedSource[] = [];
  const receivers = new Set<{ readonly tab: number; readonly listener: (message: unknown) => void }>();
  let tail: Promise<void> = Promise.resolve();
  let now = 0;
  let tabs = 0;
  let followed: AbortSignal | undefined;
  const lock: StreamDependencies['lock'] = (signal, work) => {
    followed = signal;
    const before = tail;
    const run = before.then(() => (signal.aborted ? undefined : work()));
    tail = run.catch(() => undefined);
    return run;
  };
  return {
    sources,
    /** Of the signal that ends a tab's part in it. */
    listeners: () => (followed === undefined ? 0 : getEventListeners(followed, 'abort').length),
    open: (): readonly OpenedSource[] => sources.filter(({ isClosed }) => !isClosed),
    pass: (milliseconds: number) => void (now += milliseconds),
    openTab() {
      tabs += 1;
      const tab = tabs;
      let visible = true;
      let onVisibility = (): void => undefined;
      const seen: number[] = [];
      let resets = 0;
      const dependencies: StreamDependencies = {
        lock,
        channel: {
          send(message) {
            for (const receiver of receivers) if (receiver.tab !== tab) receiver.listener(message);
          },
          onMessage: (listener) => void receivers.add({ tab, listener }),
          close() {
            for (const receiver of receivers) if (receiver.tab === tab) receivers.delete(receiver);
          },
        },
        openSource(after) {
          const source: OpenedSource = {
            after,
            isClosed: false,
            onevent: undefined,
            onlost: undefined,
            close: () => void (source.isClosed = true),
            emit: (name, position, change) => source.onevent?.({ name, position, data: JSON.stringify(change ?? {}) }),
          };
          sources.push(source);
          return source;
        },
        isVisible: () => visible,
        onVisibilityChange(listener) {
          onVisibility = listener;
          return () => void (onVisibility = () => undefined);
        },
        now: () => now,
        wait: () => Promise.resolve(),
      };
      const close = followChanges(dependencies, {
        onChange: ({ id }) => void seen.push(id),
        onReset: () => void (resets += 1),
      });
      return {
        seen,
        resets: () => resets,
        close,
        async setVisible(next: boolean) {
          visible = next;
          onVisibility();
          await settle();
        },
      };
    },
  };
}

/** Lets all promises that can go on do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe('the stream of changes', () => {
  it('is one for all tabs, each of which gets every change', async () => {
    const browser = createBrowser();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await settle();
    browser.open()[0]?.emit('change', '1.1.1', { id: 7 });

    expect(browser.sources).toHaveLength(1);
    expect([first.seen, second.seen]).toEqual([[7], [7]]);
  });

  it('goes to another visible tab, which continues where the feed was read', async () => {
    const browser = createBrowser();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await settle();
    browser.open()[0]?.emit('change', '1.5.1', { id: 7 });
    await first.setVisible(false);
    browser.open()[0]?.emit('change', '1.6.1', { id: 8 });

    expect(browser.open().map(({ after }) => after)).toEqual(['1.5.1']);
    expect([first.seen, second.seen]).toEqual([
      [7, 8],
      [7, 8],
    ]);
  });

  it('is closed while no tab is visible, and continues when one is', async () => {
    const browser = createBrowser();
    const tab = browser.openTab();
    await settle();
    browser.open()[0]?.emit('position', '1.5.1');
    await tab.setVisible(false);
    const whileHidden = browser.open().length;
    browser.pass(1_000);
    await tab.setVisible(true);

    expect(whileHidden).toBe(0);
    expect(browser.open().map(({ after }) => after)).toEqual(['1.5.1']);
    expect(tab.resets()).toBe(0);
  });

  it('begins at the end of the feed after a long time, and says that changes may be missing', async () => {
    const browser = createBrowser();
    const tab = browser.openTab();
    await settle();
    browser.open()[0]?.emit('position', '1.5.1');
    await tab.setVisible(false);
    browser.pass(3_600_000);
    await tab.setVisible(true);

    expect(browser.open().map(({ after }) => after)).toEqual([undefined]);
    expect(tab.resets()).toBe(1);
  });

  it('is opened again when it is refused, without a position that the platform may not know', async () => {
    const browser = createBrowser();
    const tab = browser.openTab();
    await settle();
    browser.open()[0]?.emit('position', '1.5.1');
    for (let attempt = 0; attempt < 4; attempt += 1) {
      browser.open()[0]?.onlost?.();
      await settle();
    }

    expect(browser.sources.map(({ after }) => after)).toEqual([undefined, '1.5.1', '1.5.1', '1.5.1', undefined]);
    expect(tab.resets()).toBe(1);
  });

  it('leaves no listener behind where it is refused again and again, as after the end of a session', async () => {
    const browser = createBrowser();
    browser.openTab();
    await settle();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      browser.open()[0]?.onlost?.();
      await settle();
    }

    expect(browser.sources.length).toBeGreaterThan(5);
    expect(browser.listeners()).toBe(1);
  });

  it('is passed on when its tab is closed', async () => {
    const browser = createBrowser();
    const [first, second] = [browser.openTab(), browser.openTab()];
    await settle();
    first.close();
    await settle();
    browser.open()[0]?.emit('change', '1.1.1', { id: 9 });

    expect(browser.open()).toHaveLength(1);
    expect([first.seen, second.seen]).toEqual([[], [9]]);
  });

  it('ignores what other versions of the pages send', async () => {
    const browser = createBrowser();
    const [first] = [browser.openTab(), browser.openTab()];
    await settle();
    browser.open()[0]?.onevent?.({ name: 'change', position: '1.1.1', data: 'no JSON' });

    expect(first.seen).toEqual([]);
  });
});
