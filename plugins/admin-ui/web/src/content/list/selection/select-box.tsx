import { useEffect, useRef } from 'react';
import type { Item } from '../../../api/items';
import type { SelectionControl } from './use-selection';

/**
 * Ticks a row; with Shift held, by mouse or with the space bar, all rows since the one that was ticked last. A plain
 * checkbox of the browser: there is one in every row. All of its cell can be hit, which a finger needs.
 */
export function SelectBox({
  item,
  label,
  selected,
  onToggle,
}: {
  readonly item: Item;
  readonly label: string;
  readonly selected: boolean;
  onToggle: SelectionControl['toggle'];
}) {
  return (
    <label className="select-area">
      <input
        type="checkbox"
        className="select-box"
        aria-label={`Select ${label}`}
        checked={selected}
        onChange={(event) => onToggle(item, isShiftHeld(event.nativeEvent))}
      />
    </label>
  );
}

/** The change of a checkbox comes from a click, by mouse or made by the browser for the space bar. */
function isShiftHeld(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}

/** Ticks every row of the page. */
export function SelectPageBox({
  items,
  control,
}: {
  readonly items: readonly Item[];
  readonly control: SelectionControl;
}) {
  const box = useRef<HTMLInputElement>(null);
  const selected = items.filter(({ id }) => control.isSelected(id)).length;
  const all = selected === items.length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected > 0 && !all;
  }, [selected, all]);
  return (
    <label className="select-area">
      <input
        ref={box}
        type="checkbox"
        className="select-box"
        aria-label="Select the items of this page"
        checked={all}
        onChange={() => control.togglePage(!all)}
      />
    </label>
  );
}
