import { localStorageColorSchemeManager } from '@mantine/core';

/**
 * Marks the document with the colours that the reader chose. The library does so after the first drawing, which would show
 * the wrong colours for a moment and make the browser style everything twice.
 */
export function applyColourScheme(): void {
  const chosen = localStorageColorSchemeManager().get('auto');
  const preferred = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset['mantineColorScheme'] = chosen === 'auto' ? preferred : chosen;
}
