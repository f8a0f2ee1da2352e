import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { DownIcon, GripIcon, UpIcon } from './icons';
import { IconButton } from './page/link-button';
import { softDisabledProps } from './soft-disabled-props';

export interface OrderedListProps<T> {
  readonly label: string;
  readonly className?: string;
  readonly entries: readonly T[];
  idOf(entry: T): string;
  nameOf(entry: T): string;
  onChange(entries: readonly T[]): void;
  renderEntry(entry: T): ReactNode;
  /** After the buttons that move an entry. */
  renderEnd?(entry: T): ReactNode;
}

/** Entries in an order that counts and can be changed, by keys or by dragging. */
export function OrderedList<T>(props: OrderedListProps<T>) {
  const { label, className = '', entries, idOf, nameOf, onChange, renderEntry, renderEnd } = props;
  const list = useRef<HTMLOListElement>(null);
  const keepFocus = useKeptFocus(list);
  const [announced, setAnnounced] = useState('');
  const move = (from: number, to: number): void => {
    const entry = entries[from];
    if (entry === undefined || from === to || to < 0 || to >= entries.length) return;
    keepFocus();
    onChange(moved(entries, from, to));
    setAnnounced(`${nameOf(entry)} is now ${to + 1} of ${entries.length}`);
  };
  const drag = useDrag(list, entries.map(idOf), move);
  const shown = drag.from < 0 ? entries : moved(entries, drag.from, drag.to);
  return (
    <>
      <ol className={`value-list ${className}`} aria-label={label} ref={list}>
        {shown.map((entry, index) => {
          const [id, name] = [idOf(entry), nameOf(entry)];
          return (
            <li key={id} className="chosen" data-dragged={index === (drag.from < 0 ? -1 : drag.to) || undefined}>
              <DragHandle onGrab={() => drag.begin(id)} />
              {renderEntry(entry)}
              <IconButton
                label={`Move up ${name}`}
                {...softDisabledProps(index === 0)}
                data-key={`up ${id}`}
                onClick={() => move(index, index - 1)}
              >
                <UpIcon size={16} />
              </IconButton>
              <IconButton
                label={`Move down ${name}`}
                {...softDisabledProps(index === entries.length - 1)}
                data-key={`down ${id}`}
                onClick={() => move(index, index + 1)}
              >
                <DownIcon size={16} />
              </IconButton>
              {renderEnd?.(entry)}
            </li>
          );
        })}
      </ol>
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </>
  );
}

/** By which an entry is dragged; those who use keys have buttons beside it. */
function DragHandle({ onGrab }: { onGrab(): void }) {
  return (
    <span
      className="drag-handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // No text is selected on the way.
        event.preventDefault();
        onGrab();
      }}
    >
      <GripIcon />
    </span>
  );
}

/** Browsers take the focus from an element that moves in the document; this gives it back. */
function useKeptFocus(list: RefObject<HTMLElement | null>): () => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const key = wanted.current;
    if (key === undefined) return;
    wanted.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  });
  return () => {
    wanted.current = document.activeElement?.getAttribute('data-key') ?? undefined;
  };
}

/**
 * Dragging an entry: the order is shown on the way and kept when the entry is let go, unless Escape is pressed. The window
 * listens, because the handle moves in the document and would lose the capture of the pointer.
 */
function useDrag(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onDrop: (from: number, to: number) => void,
) {
  const [dragged, setDragged] = useState<{ readonly id: string; readonly to: number }>();
  const from = ids.findIndex((id) => id === dragged?.id);
  useWindowEvent('pointermove', ({ clientY }) => {
    if (dragged === undefined) return;
    const to = indexAt(list.current, clientY);
    if (to !== dragged.to) setDragged({ ...dragged, to });
  });
  useWindowEvent('pointerup', ({ clientY }) => {
    if (dragged === undefined) return;
    setDragged(undefined);
    onDrop(from, indexAt(list.current, clientY));
  });
  useWindowEvent('pointercancel', () => setDragged(undefined));
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') setDragged(undefined);
  });
  return { from, to: dragged?.to ?? -1, begin: (id: string) => setDragged({ id, to: ids.indexOf(id) }) };
}

/** The list with one entry at another index. */
function moved<T>(entries: readonly T[], from: number, to: number): readonly T[] {
  const others = entries.filter((_entry, index) => index !== from);
  return [...others.slice(0, to), ...entries.slice(from, from + 1), ...others.slice(to)];
}

/** The index of the entry at which the pointer is. */
function indexAt(list: HTMLElement | null, clientY: number): number {
  const rows = [...(list?.children ?? [])];
  const below = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
  return below < 0 ? Math.max(0, rows.length - 1) : below;
}
