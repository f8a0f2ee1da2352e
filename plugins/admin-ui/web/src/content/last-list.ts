import { createContext, useContext, useEffect, useState } from 'react';
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router-dom';

/** The items of a page of a list, in their order. */
export interface ShownRows {
  readonly ids: readonly string[];
  /** How many items are before them; undefined where a link led to a page in the middle. */
  readonly before: number | undefined;
  /** How many items the list has, as people read it; undefined until it is known. */
  readonly total: string | undefined;
}

/** Where a list was left. */
interface LeftList {
  readonly search: string;
  /** State of the previous pages in the history. */
  readonly state: unknown;
  /** Of the entry in the history. */
  readonly key: string;
  /** How far it was scrolled, in pixels. */
  readonly top: number;
  readonly rows?: ShownRows | undefined;
}

/** By type. */
type LeftLists = Map<string, LeftList>;

/** How far the table of a list was scrolled when the reader left it. */
export interface SavedScroll {
  /** How far it is to be scrolled; only once, before other rows come. */
  restore(): number;
  save(top: number): void;
}

export const LastLists = createContext<LeftLists>(new Map());

/** For as long as the reader stays with the content. */
export function useLeftLists(): LeftLists {
  const [lists] = useState<LeftLists>(() => new Map());
  return lists;
}

/** Remembers what the list shows, and how far it is scrolled. */
export function useSavedScroll(type: string): SavedScroll {
  const lists = useContext(LastLists);
  const location = useLocation() as Location<unknown>;
  const way = useNavigationType();
  const [scroll] = useState<SavedScroll>(() => {
    const left = lists.get(type);
    const isBack = isLedBack(location) || (way === NavigationType.Pop && left?.key === location.key);
    let top = isBack ? (left?.top ?? 0) : 0;
    return {
      restore() {
        const wanted = top;
        top = 0;
        return wanted;
      },
      save(reached) {
        const shown = lists.get(type);
        if (shown !== undefined) lists.set(type, { ...shown, top: reached });
      },
    };
  });
  const { search, state, key } = location;
  useEffect(() => void lists.set(type, { search, state, key, top: 0 }), [lists, type, search, state, key]);
  return scroll;
}

/** The way back to the list of a type as it was left: with its filters, its order, its page, and the rows that were in sight. */
export function useLastList(type: string): { readonly to: string; readonly state: unknown } {
  const left = useContext(LastLists).get(type);
  return { to: `/content/${type}${left?.search ?? ''}`, state: { ...(left?.state as object | undefined), back: true } };
}

/** Remembers which items a list shows, for the ways between them; undefined until they are known. */
export function useKeptRows(type: string, rows: ShownRows | undefined): void {
  const lists = useContext(LastLists);
  useEffect(() => {
    const shown = lists.get(type);
    if (shown !== undefined) lists.set(type, { ...shown, rows });
  });
}

/** The place of an item in the list that was shown last, with its neighbours there. */
export interface ListPosition {
  /** Position such as `3 of 41`; undefined if the list was opened in the middle. */
  readonly text: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Undefined for an item that is not on the page of the list that was shown last. */
export function useListPosition(type: string, id: string | undefined): ListPosition | undefined {
  const rows = useContext(LastLists).get(type)?.rows;
  const index = id === undefined ? -1 : (rows?.ids.indexOf(id) ?? -1);
  if (rows === undefined || index < 0) return undefined;
  const { ids, before, total } = rows;
  const place = before === undefined ? undefined : (before + index + 1).toLocaleString();
  return {
    text: place === undefined || total === undefined ? place : `${place} of ${total}`,
    previous: ids[index - 1],
    next: ids[index + 1],
  };
}

function isLedBack({ state }: Location<unknown>): boolean {
  return (state as { readonly back?: boolean } | null)?.back === true;
}
