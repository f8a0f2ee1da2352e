/** After what had the focus is gone: the next key press goes on within the page, not before it. */
export function keepFocusInPage(): void {
  if (document.activeElement === null || document.activeElement === document.body) {
    document.getElementById('main')?.focus({ preventScroll: true });
  }
}
