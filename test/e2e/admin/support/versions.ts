import type { Page } from 'playwright-core';

/** Unfolds a version in the history of an item, counted from the newest. */
export async function openVersion(page: Page, version: number): Promise<void> {
  await page.getByRole('list', { name: 'Versions' }).locator(':scope > li').nth(version).locator('summary').click();
}
