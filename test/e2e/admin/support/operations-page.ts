import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../support/eventually';

/**
 * Presses Refresh until the page shows something, or no longer does: by itself it asks only every few seconds, which the tests
 * of that prove.
 */
export async function refreshUntil(
  page: Page,
  what: Locator,
  state: 'visible' | 'detached' = 'visible',
): Promise<void> {
  await eventually(async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await what.waitFor({ state, timeout: 400 });
    return true;
  });
}

/** Where an element begins and how wide it is. */
export function placeOf(selector: string): string {
  return `(({ x, width }) => [x, width].map(Math.round))(document.querySelector('${selector}').getBoundingClientRect())`;
}

/** The text of a step of an order, once it is done. */
export function doneWhen(step: string): RegExp {
  switch (step) {
    case 'Record payment':
      return /^Payment\s*Done/;
    case 'Report delivered':
      return /The carrier reports: delivered/;
    case 'Dispatch':
      return /^Delivery.*Done/s;
    default:
      return /^Confirmation\s*Done/;
  }
}
