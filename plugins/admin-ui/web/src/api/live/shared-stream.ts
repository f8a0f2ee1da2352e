import type { ItemChange } from '@gantry/contracts';

/** Message of one tab to the other tabs of its browser. */
interface StreamMessage {
  /** How far the feed is read. */
  readonly position: string;
  readonly change?: ItemChange;
}

/** The part of an EventSource that is used. */
export interface ChangeSource {
  onevent: ((event: { readonly name: string; readonly position: string; readonly data: string }) => void) | undefined;
  /** The connection is lost and does not come back by itself. */
  onlost: (() => void) | undefined;
  close(): void;
}

/** Functions of the browser. */
export interface StreamDependencies {
  /** Runs work while no other tab holds the lock; rejects when the signal aborts before that. */
  lock(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  readonly channel: {
    send(message: unknown): void;
    /** Those of other tabs. */
    onMessage(listener: (message: unknown) => void): void;
    close(): void;
  };
  /** @param after position in the feed; its end without */
  openSource(after: string | undefined): ChangeSource;
  isVisible(): boolean;
  /** @returns a function that ends it */
  onVisibilityChange(listener: () => void): () => void;
  now(): number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface StreamListener {
  onChange(change: ItemChange): void;
  /** Changes may have been missed: what is shown has to be read again. */
  onReset(): void;
}

/** A tab that was hidden for longer reads its page again instead of every change that it has missed. */
const longestGapMs = 60_000;
const retryMs = { first: 2_000, longest: 60_000 };
/** After so many failed attempts in a row, the position is taken for the cause: the feed may not have it any more. */
const attemptsWithPosition = 3;

/**
 * Follows the change feed with one stream for all tabs of the browser: the tab that holds a lock reads it and passes every change on.
 * Only visible tabs compete for the lock, so that a browser in the background has no stream. Each tab knows how far the feed was
 * read, and goes on there when its turn comes.
 * @returns a function that ends it
 */
export function followChanges(dependencies: StreamDependencies, listener: StreamListener): () => void {
  const { channel } = dependencies;
  let position: string | undefined;
  let readAt = dependencies.now();
  const note = ({ position: read, change }: StreamMessage): void => {
    position = read;
    readAt = dependencies.now();
    if (change !== undefined) listener.onChange(change);
  };
  channel.onMessage((message) => (isMessage(message) ? note(message) : undefined));
  const read = async (signal: AbortSignal): Promise<void> => {
    if (position !== undefined && dependencies.now() - readAt > longestGapMs) {
      position = undefined;
      listener.onReset();
    }
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const wasReady = await readSource(dependencies.openSource(position), signal, (message) => {
        note(message);
        channel.send(message);
      });
      if (wasReady) attempt = 0;
      if (attempt >= attemptsWithPosition && position !== undefined) {
        position = undefined;
        listener.onReset();
      }
      const delay = Math.min(retryMs.longest, retryMs.first * 2 ** Math.max(0, attempt - 1));
      await dependencies.wait(delay, signal).catch(() => undefined);
    }
  };
  let running: AbortController | undefined;
  const follow = (): void => {
    if (!dependencies.isVisible()) {
      running?.abort();
      running = undefined;
    } else if (running === undefined) {
      running = new AbortController();
      const { signal } = running;
      // While another tab reads, its messages arrive here; a hidden one gives up its place in the queue.
      dependencies.lock(signal, () => read(signal)).catch(() => undefined);
    }
  };
  const unsubscribe = dependencies.onVisibilityChange(follow);
  follow();
  return () => {
    unsubscribe();
    running?.abort();
    channel.close();
  };
}

/** @returns whether the stream was open, after it is lost or not wanted any more */
async function readSource(
  source: ChangeSource,
  signal: AbortSignal,
  onMessage: (message: StreamMessage) => void,
): Promise<boolean> {
  let wasReady = false;
  await new Promise<void>((resolve) => {
    source.onevent = ({ name, position, data }) => {
      wasReady = true;
      if (position === '') return;
      const change = name === 'change' ? parseChange(data) : undefined;
      onMessage({ position, ...(change === undefined ? {} : { change }) });
    };
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    source.onlost = end;
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
  source.close();
  return wasReady;
}

function parseChange(data: string): ItemChange | undefined {
  try {
    return JSON.parse(data) as ItemChange;
  } catch {
    return undefined;
  }
}

/** Another version of the pages may be open in another tab. */
function isMessage(data: unknown): data is StreamMessage {
  return typeof data === 'object' && data !== null && typeof (data as StreamMessage).position === 'string';
}
