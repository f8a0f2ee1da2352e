import { useEffect, type ComponentType } from 'react';
import { whenIdle } from '../ui/lazy-part';

export async function loadItemPage(): Promise<ComponentType> {
  return (await import('./form/item/item-page')).ItemPage;
}

export async function loadNewItemPage(): Promise<ComponentType> {
  return (await import('./form/item/new-item-page')).NewItemPage;
}

/** From a list, an item is opened next: its page is loaded as soon as the reader begins to use the list. */
export function usePrefetchedItemPages(): void {
  useEffect(() => {
    const controller = new AbortController();
    // Scripts that cannot be loaded now are loaded, and reported, when the page is opened.
    const load = (): void => whenIdle(() => void Promise.allSettled([loadItemPage()]), controller.signal);
    for (const event of ['pointermove', 'pointerdown', 'keydown']) {
      window.addEventListener(event, load, { once: true, passive: true, signal: controller.signal });
    }
    return () => controller.abort();
  }, []);
}
