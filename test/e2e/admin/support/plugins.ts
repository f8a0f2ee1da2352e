import type { Locator, Page } from 'playwright-core';

/** The row of a plugin on the page of plugins. */
export function pluginRow(page: Page, name: string): Locator {
  return page
    .getByRole('region', { name: 'Plugins' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
}

/** Opens the details of a plugin, where its actions are. */
export async function openPlugin(page: Page, name: string): Promise<Locator> {
  await pluginRow(page, name).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name, exact: true });
  await drawer.waitFor();
  return drawer;
}
