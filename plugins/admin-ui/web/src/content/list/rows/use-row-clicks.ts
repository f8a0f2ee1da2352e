import { useEffect, type RefObject } from 'react';
import { useNavigate } from 'react-router-dom';
import { basePath } from '../../../common/base-path';

/** Opens the item of a row that is clicked anywhere but on a control; with a modifier in another tab, as a link does. */
export function useRowClicks(around: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate();
  useEffect(() => {
    const element = around.current;
    const open = (event: MouseEvent): void => {
      const to = rowOf(event.target)?.dataset['row'];
      if (to === undefined || event.button !== 0 || event.defaultPrevented || isSelecting()) return;
      if (event.metaKey || event.ctrlKey) window.open(`${basePath}${to}`, '_blank', 'noopener');
      else if (!event.shiftKey && !event.altKey) void navigate(to);
    };
    element?.addEventListener('click', open);
    return () => element?.removeEventListener('click', open);
  }, [around, navigate]);
}

const controls = 'a, button, input, label, select, textarea, summary, [role="button"], [contenteditable]';

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest(controls) !== null) return undefined;
  return target.closest<HTMLElement>('[data-row]') ?? undefined;
}

/** Text that was marked is to be copied. */
function isSelecting(): boolean {
  return window.getSelection()?.isCollapsed === false;
}
