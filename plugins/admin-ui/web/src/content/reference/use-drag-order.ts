import { useEffect, useState, type RefObject } from 'react';

interface Entry {
  readonly id: string;
}

/** Lets the entries of a list be dragged to another place: the order is shown on the way and kept when it is let go. */
export function useDragOrder<T extends Entry>(
  list: RefObject<HTMLElement | null>,
  entries: readonly T[],
  onChange: (entries: readonly T[]) => void,
) {
  const [dragged, setDragged] = useState<string>();
  const [position, setPosition] = useState(0);
  const from = entries.findIndex(({ id }) => id === dragged);
  const shown = from < 0 ? entries : moved(entries, from, position);

  useEffect(() => {
    if (dragged === undefined) return undefined;
    const follow = ({ clientY }: PointerEvent): void => setPosition(positionAt(list.current, clientY));
    const drop = (): void => {
      setDragged(undefined);
      if (from >= 0 && position !== from) onChange(shown);
    };
    const giveUp = ({ type, key }: { type: string; key?: string }): void => {
      if (type !== 'keydown' || key === 'Escape') setDragged(undefined);
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', giveUp);
    window.addEventListener('keydown', giveUp);
    return () => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', giveUp);
      window.removeEventListener('keydown', giveUp);
    };
  });

  return {
    shown,
    dragged,
    grab: (id: string) => {
      setPosition(entries.findIndex((entry) => entry.id === id));
      setDragged(id);
    },
  };
}

/** The list with one entry at another place. */
export function moved<T>(entries: readonly T[], from: number, to: number): readonly T[] {
  const entry = entries[from];
  const others = entries.filter((_entry, index) => index !== from);
  return entry === undefined ? entries : [...others.slice(0, to), entry, ...others.slice(to)];
}

/** The index at which the pointer is. */
function positionAt(list: HTMLElement | null, clientY: number): number {
  const rows = [...(list?.children ?? [])];
  const below = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
  return below < 0 ? Math.max(0, rows.length - 1) : below;
}
