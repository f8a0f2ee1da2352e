import type { Page } from 'playwright-core';

/** Goes to a path below /admin without loading the pages again, as Back and Forward do; what it shows is to be waited for. */
export async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate(`
    history.pushState(null, '', ${JSON.stringify(`/admin${path}`)});
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  `);
}
