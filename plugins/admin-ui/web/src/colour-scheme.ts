import { localStorageColorSchemeManager } from '@mantine/core';

/**
 * Marks the document with the colours that the reader chose. The library does so after the first drawing, which would show
 * the wrong colours for a moment and make the browser style everything twice.
 */
export function applyColourScheme(): void {
  const chosen = localStorageColorSchemeManager().get('auto');
  const preferred = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  mark(chosen === 'auto' ? preferred : chosen);
  window.addEventListener('beforeprint', printOnWhite);
}

/** Paper is white, whatever the colours of the screen. */
function printOnWhite(): void {
  const shown = document.documentElement.dataset['mantineColorScheme'];
  mark('light');
  window.addEventListener('afterprint', () => mark(shown), { once: true });
}

function mark(scheme: string | undefined): void {
  document.documentElement.dataset['mantineColorScheme'] = scheme;
}
