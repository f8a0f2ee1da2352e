/** Something that the page in sight offers in its head. */
export interface PageAction {
  readonly label: string;
  run(): void;
}

/** The buttons and links in the head of the page, as they are now, the primary one first; the palette does what a click on them does. */
export function readPageActions(): readonly PageAction[] {
  const elements = [...document.querySelectorAll<HTMLElement>('main .page-actions :is(a, button)')].toReversed();
  const seen = new Set<string>();
  return elements.flatMap((element) => {
    const label = (element.getAttribute('aria-label') ?? element.textContent).trim();
    // A menu is opened where its entries are seen, and what is shown is fetched again by the page itself.
    const isOffered =
      label !== '' &&
      label !== 'Refresh' &&
      !seen.has(label) &&
      !element.matches(':disabled, [aria-disabled="true"], [aria-haspopup="menu"]');
    seen.add(label);
    return isOffered && element.checkVisibility() ? [{ label, run: () => element.click() }] : [];
  });
}
