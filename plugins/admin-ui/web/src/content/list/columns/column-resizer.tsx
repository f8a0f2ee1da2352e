import { useRef, type KeyboardEvent, type PointerEvent } from 'react';

export interface ColumnResizerProps {
  /** The name of the column, as its head shows it. */
  readonly name: string;
  /** In CSS pixels; undefined while the table decides. */
  readonly width: number | undefined;
  /** While it is dragged. */
  onResize(width: number): void;
  /** To be kept; undefined leaves it to the table again. */
  onCommit(width: number | undefined): void;
}

/** In CSS pixels; the platform keeps no others. */
const limits = { min: 48, max: 1_000 };
const keyStep = 16;

/**
 * The edge of a column that is dragged, or moved by the arrow keys (with Shift from the head of the column); a double click or Enter
 * gives the column its usual width.
 */
export function ColumnResizer({ name, width, onResize, onCommit }: ColumnResizerProps) {
  const drag = useRef<{ readonly x: number; readonly width: number; readonly reached: number | undefined }>(undefined);
  const begin = (event: PointerEvent<HTMLSpanElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: shownWidth(event.currentTarget), reached: undefined };
  };
  const move = (event: PointerEvent<HTMLSpanElement>): void => {
    if (drag.current === undefined) return;
    const reached = fitting(drag.current.width + (event.clientX - drag.current.x) * direction(event.currentTarget));
    drag.current = { ...drag.current, reached };
    onResize(reached);
  };
  const end = (): void => {
    const reached = drag.current?.reached;
    drag.current = undefined;
    if (reached !== undefined) onCommit(reached);
  };
  const press = (event: KeyboardEvent<HTMLSpanElement>): void => {
    if (event.key === 'Enter') onCommit(undefined);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const steps = (event.key === 'ArrowRight' ? 1 : -1) * direction(event.currentTarget);
      onCommit(fitting(shownWidth(event.currentTarget) + steps * keyStep));
    } else return;
    event.preventDefault();
  };
  return (
    <span
      className="column-resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      aria-valuenow={width ?? limits.min}
      aria-valuetext={width === undefined ? 'automatic' : `${width} pixels`}
      tabIndex={-1}
      title="Drag to change the width; double-click to reset it"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onCommit(undefined)}
      onKeyDown={press}
    />
  );
}

function shownWidth(resizer: HTMLElement): number {
  return Math.round(resizer.closest('th')?.getBoundingClientRect().width ?? limits.min);
}

function fitting(width: number): number {
  return Math.round(Math.min(limits.max, Math.max(limits.min, width)));
}

/** Where a text runs from right to left, a column grows to the left. */
function direction(element: HTMLElement): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1;
}
