import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { browserStream } from '../api/live/browser-stream';
import { publishChange, subscribeToChanges } from '../api/live/live-changes';
import { followChanges } from '../api/live/shared-stream';

/** In milliseconds: what refreshes by itself does so at most once in this time. */
const refreshMs = 5_000;

/** Follows the changes of items while the application is open. Lists and forms only say that something changed; what nobody edits is read again. */
export function LiveChanges() {
  const client = useQueryClient();
  useEffect(() => {
    const stream = browserStream();
    if (stream === undefined) return undefined;
    const refresh = atMostEvery(refreshMs, () => refreshOverviews(client));
    const unsubscribe = subscribeToChanges(refresh.run);
    const end = followChanges(stream, {
      onChange: publishChange,
      onReset: () => void client.invalidateQueries({ predicate: ({ queryKey }) => isOverview(queryKey) }),
    });
    return () => {
      unsubscribe();
      refresh.cancel();
      end();
    };
  }, [client]);
  return null;
}

function refreshOverviews(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey }) => isOverview(queryKey) });
}

/** The start page, and what a picker offers. */
function isOverview([first, second, third]: readonly unknown[]): boolean {
  return first === 'items' && (second === 'recent' || second === 'attention' || third === 'references');
}

interface Throttled {
  run(): void;
  cancel(): void;
}

/** The first time at once, and the last time in any case. */
function atMostEvery(pauseMs: number, work: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const run = (): void => {
    if (timer !== undefined) {
      isWanted = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) {
        isWanted = false;
        run();
      }
    }, pauseMs);
  };
  return { run, cancel: () => clearTimeout(timer) };
}
