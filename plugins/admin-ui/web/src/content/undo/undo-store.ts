import type { ItemMetadata } from '@gantry/contracts';
import { useSyncExternalStore } from 'react';
import type { Item } from '../../api/items';

/** Result of an action on one item. */
export interface DoneItem {
  /** As it was before. */
  readonly before: Item;
  /** Undefined for one that was deleted. */
  readonly after: Item | undefined;
}

/** An action on many items that is to be reverted. */
export interface BulkUndo {
  readonly metadata: ItemMetadata;
  readonly done: readonly DoneItem[];
}

let requested: BulkUndo | undefined;
const listeners = new Set<() => void>();

/** Asks for it to be done, whatever page is open by then; undefined ends that. */
export function requestUndo(undo: BulkUndo | undefined): void {
  requested = undo;
  for (const listener of listeners) listener();
}

export function useRequestedUndo(): BulkUndo | undefined {
  return useSyncExternalStore(subscribe, () => requested);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
