import { openSpotlight } from '@mantine/spotlight';
import { useEffect } from 'react';
import { isTyping } from './is-typing';

/** `/` goes to the filter of the navigation on pages that have no search of their own, and to the palette where it is hidden. */
export function useSearchKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('main [role="search"], [role="dialog"]') !== null) return;
      event.preventDefault();
      const filter = document.querySelector<HTMLElement>('.shell-navigation input[type="search"]');
      if (filter !== null && isOnScreen(filter)) filter.focus();
      else openSpotlight();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** On narrow windows the navigation waits beside the page. */
function isOnScreen(element: HTMLElement): boolean {
  const { left, right } = element.getBoundingClientRect();
  return element.checkVisibility() && right > 0 && left < window.innerWidth;
}
