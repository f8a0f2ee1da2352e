import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';
import { targetOf } from '../ui/page/quick-link';

export interface CoveringNavigation {
  readonly opened: boolean;
  /** The button that opens it, which gets the focus back. */
  readonly button: RefObject<HTMLElement | null>;
  close(): void;
}

/**
 * On narrow windows the navigation covers the page while it is open. Escape closes it, as it closes a dialog; so does
 * choosing an entry, also that of the page below, a click beside it, and going on to the page with the keyboard.
 */
export function useCoveringNavigation({ opened, button, close }: CoveringNavigation): void {
  const leave = (): void => {
    close();
    button.current?.focus();
  };
  useWindowEvent('keydown', ({ key }) => {
    if (opened && key === 'Escape' && document.querySelector('[role="dialog"]') === null) leave();
  });
  useWindowEvent(
    'click',
    ({ target }) => {
      if (!opened) return;
      if (isWithin('.shell-scrim', target)) close();
      else if (isWithin('.shell-navigation', target) && targetOf(target) !== undefined) leave();
    },
    // Before the page opens, whose heading then gets the focus.
    true,
  );
  useWindowEvent('focusin', ({ target }) => {
    if (opened && isWithin('#main', target)) close();
  });
}

function isWithin(selector: string, target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
