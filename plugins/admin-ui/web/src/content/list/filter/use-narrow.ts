import { useSyncExternalStore } from 'react';

/** Where a table has no room. */
const narrow = window.matchMedia('(max-width: 640px)');

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
