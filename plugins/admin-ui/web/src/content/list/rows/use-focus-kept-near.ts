import { useEffect, type RefObject } from 'react';

/**
 * A row goes with its item, or when it is scrolled out of sight. If it had the focus, the element around gets it, so that
 * keys go on where the reader was, and scroll on.
 */
export function useFocusKeptNear(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = around.current;
    let focused: EventTarget | null = null;
    const note = ({ target }: FocusEvent): void => {
      focused = target;
    };
    const observer = new MutationObserver(() => {
      const isGone = focused instanceof Element && !focused.isConnected;
      if (isGone && document.activeElement === document.body) element?.focus({ preventScroll: true });
    });
    // The element that had the focus before the last move is no longer needed.
    window.addEventListener('focusin', note);
    if (element !== null) observer.observe(element, { childList: true, subtree: true });
    return () => {
      window.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [around]);
}
