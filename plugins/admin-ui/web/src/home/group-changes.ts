import type { ItemChange } from '../api/changes';

/** Changes of one person or program in items of one type in one go. */
export interface ChangeGroup {
  /** The newest of them. */
  readonly change: ItemChange;
  /** The oldest of them. */
  readonly oldest: ItemChange;
  /** Of different items. */
  readonly count: number;
}

/** The changes of a feed, the newest first, where those that differ only in the item, and follow within minutes, are one. */
export function groupChanges(changes: readonly ItemChange[]): readonly ChangeGroup[] {
  const groups: { change: ItemChange; oldest: ItemChange; ids: Set<string> }[] = [];
  for (const change of changes) {
    const group = groups.find(({ oldest }) => isAlike(oldest, change));
    if (group === undefined) groups.push({ change, oldest: change, ids: new Set([change.id]) });
    else {
      group.oldest = change;
      group.ids.add(change.id);
    }
  }
  return groups.map(({ change, oldest, ids }) => ({ change, oldest, count: ids.size }));
}

function isAlike(newer: ItemChange, older: ItemChange): boolean {
  const parts = ['type', 'action', 'actor', 'source'] as const;
  return parts.every((part) => newer[part] === older[part]) && Date.parse(newer.at) - Date.parse(older.at) < maxGapMs;
}

const maxGapMs = 10 * 60_000;
