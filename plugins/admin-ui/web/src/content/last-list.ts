import { createContext, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Where a list was left: its query, and what the history keeps of the pages before. */
interface LeftList {
  readonly search: string;
  readonly state: unknown;
}

/** By type. */
type LeftLists = Map<string, LeftList>;

export const LastLists = createContext<LeftLists>(new Map());

/** For as long as the reader stays with the content. */
export function useLeftLists(): LeftLists {
  const [lists] = useState<LeftLists>(() => new Map());
  return lists;
}

/** Notes what the list in sight shows. */
export function useNotedList(type: string): void {
  const lists = useContext(LastLists);
  const { search, state } = useLocation() as { readonly search: string; readonly state: unknown };
  useEffect(() => void lists.set(type, { search, state }), [lists, type, search, state]);
}

/** The way back to the list of a type as it was left: with its filters, its order and its page. */
export function useLastList(type: string): { readonly to: string; readonly state: unknown } {
  const left = useContext(LastLists).get(type);
  return { to: `/content/${type}${left?.search ?? ''}`, state: left?.state };
}
