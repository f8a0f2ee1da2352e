import type { ChangeSource, StreamDependencies } from './shared-stream';

const name = 'gantry-changes';

/** The browser's own; undefined where it lacks a part, as without a secure connection. */
export function browserStream(): StreamDependencies | undefined {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined || typeof BroadcastChannel !== 'function' || typeof EventSource !== 'function') {
    return undefined;
  }
  return {
    lock: async (signal, work) => {
      await locks.request(name, { signal }, work);
    },
    channel: openChannel(),
    openSource,
    isVisible: () => document.visibilityState === 'visible',
    onVisibilityChange(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    now: () => Date.now(),
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, milliseconds);
        signal.addEventListener('abort', stop, { once: true });
      }),
  };
}

function openChannel(): StreamDependencies['channel'] {
  const channel = new BroadcastChannel(name);
  return {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    send: (message) => channel.postMessage(message),
    onMessage: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
    close: () => channel.close(),
  };
}

/** A lost connection comes back by itself, with the position of its last event; one that was refused does not. */
function openSource(after: string | undefined): ChangeSource {
  const query = new URLSearchParams({ after: after ?? 'latest' });
  const events = new EventSource(`/api/cms/changes/stream?${query}`);
  const source: ChangeSource = { onevent: undefined, onlost: undefined, close: () => events.close() };
  for (const kind of ['ready', 'change', 'position']) {
    events.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) =>
      source.onevent?.({ name: kind, position: lastEventId, data }),
    );
  }
  events.addEventListener('error', () => {
    if (events.readyState === EventSource.CLOSED) source.onlost?.();
  });
  return source;
}
