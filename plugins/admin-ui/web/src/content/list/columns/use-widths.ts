import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';

type Widths = Readonly<Record<string, number | undefined>>;

export interface WidthControl {
  readonly widths: Widths;
  resize(column: string, width: number | undefined): void;
  commit(column: string, width: number | undefined): void;
}

/** The widths that are kept, and those that are being dragged or not stored yet. */
export function useWidths(kept: Widths, onWidth: WidthControl['commit']): WidthControl {
  const [changed, setChanged] = useState<Widths>({});
  const widths = useMemo(() => ({ ...kept, ...changed }), [kept, changed]);
  const resize = (column: string, width: number | undefined): void => setChanged({ ...changed, [column]: width });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    widths,
    resize,
    commit(column: string, width: number | undefined): void {
      resize(column, width);
      // Keys come one after the other; the last one is stored.
      clearTimeout(timer.current);
      timer.current = setTimeout(() => onWidth(column, width), storeAfterMs);
    },
  };
}

const storeAfterMs = 300;

/**
 * The width of an element, by the browser's own notice: asking for it would make the browser lay out twice.
 * @param expected until it is known
 */
export function useWidthOf(around: RefObject<HTMLElement | null>, expected: () => number): number {
  const [width, setWidth] = useState(expected);
  useEffect(() => {
    const element = around.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      // Hidden elements have no width.
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [around]);
  return width;
}
