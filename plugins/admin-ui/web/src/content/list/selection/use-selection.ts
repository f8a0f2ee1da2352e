import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Item } from '../../../api/items';

/** Items of an action: ticked one by one, on any page, or all that match the filters. */
export type Selection =
  | { readonly kind: 'items'; readonly items: ReadonlyMap<string, Item> }
  | { readonly kind: 'matches' };

export interface SelectionControl {
  readonly selection: Selection;
  isSelected(id: string): boolean;
  /** `range` takes all between the item that was ticked last and this one along. */
  toggle(item: Item, range: boolean): void;
  togglePage(selected: boolean): void;
  selectMatches(): void;
  /** Takes out an item that is gone, or keeps its newest version. */
  settle(item: Item, gone: boolean): void;
  clear(): void;
}

const nothing: Selection = { kind: 'items', items: new Map() };

/**
 * The selection of a list. It lives as long as the filters stay: pages, sorting and columns may change.
 * @param page the items in sight, with the versions that the reader sees
 * @param filters changes when other filters apply
 * @param stale whether the items in sight are still those of before: what is done to them is about the filters of before
 */
export function useSelection(page: readonly Item[], filters: string, stale: boolean): SelectionControl {
  const [stored, setStored] = useState({ filters, selection: nothing });
  const anchor = useRef<string>(undefined);
  const seen = useRef({ page, filters });
  useLayoutEffect(() => {
    if (!stale) seen.current = { page, filters };
  }, [page, filters, stale]);
  const change = useCallback((next: (selection: Selection) => Selection) => {
    // By function, because several items may be done between two renderings.
    setStored((before) => {
      const known = before.filters === seen.current.filters ? before.selection : nothing;
      return { filters: seen.current.filters, selection: next(known) };
    });
  }, []);
  const toggle = useCallback(
    (item: Item, range: boolean) => {
      const from = range ? anchor.current : undefined;
      anchor.current = item.id;
      change((selection) => toggled(selection, seen.current.page, item, from));
    },
    [change],
  );
  const selection = stored.filters === filters ? stored.selection : nothing;
  return {
    selection: withSeenVersions(selection, page),
    isSelected: (id) => selection.kind === 'matches' || selection.items.has(id),
    toggle,
    togglePage: (selected) => change((before) => withItems(before, page, selected)),
    selectMatches: () => change(() => ({ kind: 'matches' })),
    settle: (item, gone) =>
      change((before) =>
        before.kind === 'items' && before.items.has(item.id) ? withItems(before, [item], !gone) : before,
      ),
    clear: () => change(() => nothing),
  };
}

function toggled(selection: Selection, page: readonly Item[], item: Item, anchor: string | undefined): Selection {
  // Of all matches one is taken out: what stays are the others that the reader sees.
  if (selection.kind === 'matches') return withItems(withItems(nothing, page, true), [item], false);
  const [from, to] = [anchor, item.id].map((id) => page.findIndex((candidate) => candidate.id === id));
  const range =
    from === undefined || to === undefined || from < 0
      ? [item]
      : page.slice(Math.min(from, to), Math.max(from, to) + 1);
  return withItems(selection, range, !selection.items.has(item.id));
}

function withItems(selection: Selection, items: readonly Item[], selected: boolean): Selection {
  const next = new Map(selection.kind === 'items' ? selection.items : []);
  for (const item of items) {
    if (selected) next.set(item.id, item);
    else next.delete(item.id);
  }
  return { kind: 'items', items: next };
}

/** A row that was loaded again shows its newest version, and this is what the reader decides about. */
function withSeenVersions(selection: Selection, page: readonly Item[]): Selection {
  if (selection.kind === 'matches' || selection.items.size === 0) return selection;
  const newer = page.filter((item) => selection.items.has(item.id) && selection.items.get(item.id) !== item);
  return newer.length === 0 ? selection : withItems(selection, newer, true);
}
