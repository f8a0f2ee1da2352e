import type { Page } from 'playwright-core';
import { accessibilityFindings } from './open-pages';

const schemes = ['light', 'dark'] as const;
const widths = [1280, 390] as const;

/** The findings in both colour schemes and both widths, on the page as it is. */
export async function findingsInAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 850 });
      // The scheme changes colours and nothing else, so that every rule is tried once for each width.
      const rules = colorScheme === 'light' ? 'all' : 'colours';
      found.push(
        ...(await accessibilityFindings(page, 'html', rules)).map((finding) => `${colorScheme} ${width}: ${finding}`),
      );
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

/**
 * The findings of every rule where it is light and wide, and where it is dark and narrow, on a page or a part of it: for what
 * consists of parts that other tests look at in all four looks.
 */
export async function findingsInOppositeLooks(page: Page, part = 'html'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [
    ['dark', 390],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await page.setViewportSize({ width, height: 900 });
    const findings = await accessibilityFindings(page, part);
    found.push(...findings.map((finding) => `${colorScheme} ${width}: ${finding}`));
  }
  return found;
}

/** The findings in all looks with still pages, and whether the page is wider than the window; each finding with the view it is in. */
export async function findingsInEveryView(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 850 });
    if (!(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))) {
      findings.push(`${width}: wider than the window`);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const rules = colorScheme === 'light' ? 'all' : 'colours';
      findings.push(
        ...(await accessibilityFindings(page, 'html', rules)).map((finding) => `${width} ${colorScheme}: ${finding}`),
      );
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return findings;
}
