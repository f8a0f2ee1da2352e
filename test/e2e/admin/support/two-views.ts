import type { Page } from 'playwright-core';
import { accessibilityFindings } from './open-pages';

const views = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const;

/**
 * The findings on the page as it is, and whether it is wider than the window: wide in light colours and narrow in dark ones. For
 * pages whose parts others look at in every view (all-looks.ts).
 */
export async function findingsInTwoViews(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const { colorScheme, width } of views) {
    await page.setViewportSize({ width, height: 850 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    if (!(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))) {
      findings.push(`${width}: wider than the window`);
    }
    const found = await accessibilityFindings(page);
    findings.push(...found.map((finding) => `${width} ${colorScheme}: ${finding}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return findings;
}
