import type { ItemChange } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { isOwnRequest } from '../platform/own-requests';

/** A change that somebody else has made, as it reached this tab. */
export interface LiveChange {
  readonly change: ItemChange;
  /** In milliseconds of this machine. */
  readonly arrivedAt: number;
}

type Listener = (changes: readonly LiveChange[]) => void;

const listeners = new Set<Listener>();
let waiting: LiveChange[] = [];

/** In milliseconds. Changes of an import come by the thousands, and the answer to a write of this tab may come after its change. */
const pauseMs = 500;

/** Passes a change on to what is open in this tab. */
export function publishChange(change: ItemChange): void {
  if (waiting.length === 0) setTimeout(flush, pauseMs);
  waiting.push({ change, arrivedAt: Date.now() });
}

function flush(): void {
  const changes = waiting.filter(({ change: { requestId } }) => requestId === undefined || !isOwnRequest(requestId));
  waiting = [];
  if (changes.length === 0) return;
  for (const listener of listeners) listener(changes);
}

/** @returns a function that ends it */
export function subscribeToChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Changes of others in items of a type since the shown items were read, the newest of each item.
 * @param since in milliseconds
 */
export function useForeignChanges(type: string, since: number): ReadonlyMap<number, LiveChange> {
  const [seen, setSeen] = useState<ReadonlyMap<number, LiveChange>>(none);
  useEffect(
    () =>
      subscribeToChanges((changes) => {
        const found = changes.filter(({ change }) => change.type === type);
        if (found.length === 0) return;
        setSeen((before) => new Map([...before, ...found.map((one) => [one.change.id, one] as const)]));
      }),
    [type],
  );
  const isOutdated = [...seen.values()].some(({ arrivedAt }) => arrivedAt <= since);
  if (!isOutdated) return seen;
  const newer = new Map([...seen].filter(([, { arrivedAt }]) => arrivedAt > since));
  setSeen(newer);
  return newer;
}

const none: ReadonlyMap<number, LiveChange> = new Map();
