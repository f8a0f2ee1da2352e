import type { Page } from 'playwright-core';
import { layoutFindings } from './layout';
import { accessibilityFindings } from './open-pages';

/** How a page is looked at, and with which rules. */
interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: 1280 | 390;
  readonly rules: 'all' | 'colours';
}

/** The scheme changes colours and nothing else, so that every rule is tried once for each width. */
const allLooks: readonly Look[] = [
  { colorScheme: 'light', width: 1280, rules: 'all' },
  { colorScheme: 'dark', width: 1280, rules: 'colours' },
  { colorScheme: 'light', width: 390, rules: 'all' },
  { colorScheme: 'dark', width: 390, rules: 'colours' },
];

const oppositeLooks: readonly Look[] = [
  { colorScheme: 'dark', width: 390, rules: 'all' },
  { colorScheme: 'light', width: 1280, rules: 'all' },
];

/** The findings in both colour schemes and both widths, those of the layout included, on the page as it is. */
export function findingsInAllLooks(page: Page): Promise<readonly string[]> {
  return findingsIn(page, allLooks);
}

/**
 * The findings of every rule where it is light and wide, and where it is dark and narrow, on a page or a part of it: for what
 * consists of parts that other tests look at in all four looks.
 */
export function findingsInOppositeLooks(page: Page, part = 'html'): Promise<readonly string[]> {
  return findingsIn(page, oppositeLooks, part);
}

/** Each finding with the look it is in; the page is light and wide afterwards. */
async function findingsIn(page: Page, looks: readonly Look[], part = 'html'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { colorScheme, width, rules } of looks) {
    await page.setViewportSize({ width, height: 850 });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const findings = await accessibilityFindings(page, part, rules);
    const layout = part === 'html' && rules === 'all' ? await layoutFindings(page) : [];
    found.push(...[...findings, ...layout].map((finding) => `${colorScheme} ${width}: ${finding}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}
