import { useLocation } from 'react-router-dom';

/** Opens a page of a list, with the cursors of the pages before it as the state of its address. */
export type OpenPage = (after: string | undefined, trail: readonly string[]) => void;

export interface PageTrail {
  /** The cursors of the pages before; that of the first page is empty. */
  readonly trail: readonly string[];
  /** How many pages are before; undefined where a link led to a page in the middle. */
  readonly pagesBefore: number | undefined;
  openNext(cursor: string): void;
  /** Undefined on the first page, and after a link led to a page in the middle. */
  readonly openPrevious: (() => void) | undefined;
  openFirst(): void;
}

/**
 * The ways between the pages of a list. A cursor leads forward only, so the history of the browser keeps those of the pages
 * before.
 * @param after the cursor of the page that is open
 */
export function usePageTrail(after: string | undefined, open: OpenPage): PageTrail {
  const state: unknown = useLocation().state;
  const kept = (state as { readonly trail?: unknown } | null)?.trail;
  const trail = Array.isArray(kept) ? kept.filter((entry): entry is string => typeof entry === 'string') : [];
  return {
    trail,
    pagesBefore: after === undefined || trail[0] === '' ? trail.length : undefined,
    openNext: (cursor) => open(cursor, [...trail, after ?? '']),
    openPrevious: trail.length === 0 ? undefined : () => open(trail.at(-1) || undefined, trail.slice(0, -1)),
    openFirst: () => open(undefined, []),
  };
}
