import { useEffect, type RefObject } from 'react';
import { targetOf } from '../ui/quick-link';

export interface CoveringNavigation {
  readonly opened: boolean;
  /** The button that opens it, which gets the focus back. */
  readonly button: RefObject<HTMLElement | null>;
  /** The same function with every drawing. */
  close(): void;
}

/**
 * On narrow windows the navigation covers the page while it is open. Escape closes it, as it closes a dialog; so does
 * choosing an entry, also that of the page below, and going on to the page with the keyboard.
 */
export function useCoveringNavigation({ opened, button, close }: CoveringNavigation): void {
  useEffect(() => {
    if (!opened) return;
    const leave = (): void => {
      close();
      button.current?.focus();
    };
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && document.querySelector('[role="dialog"]') === null) leave();
    };
    const choose = ({ target }: MouseEvent): void => {
      if (isWithin('.shell-navigation', target) && targetOf(target) !== undefined) leave();
    };
    const goOn = ({ target }: FocusEvent): void => {
      if (isWithin('#main', target)) close();
    };
    window.addEventListener('keydown', press);
    // Before the page opens, whose heading then gets the focus.
    window.addEventListener('click', choose, true);
    window.addEventListener('focusin', goOn);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('click', choose, true);
      window.removeEventListener('focusin', goOn);
    };
  }, [opened, button, close]);
}

function isWithin(selector: string, target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
