import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const rules = readFileSync(join(__dirname, 'layout-rules.js'), 'utf8');

/** Elements that are clipped, collapsed, or drawn without a style on the page as it is, and whether it is wider than the window. */
export function layoutFindings(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(rules);
}

/** The same in three widths; the window has its usual size afterwards. */
export async function layoutFindingsInAllWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 850 });
    found.push(...(await layoutFindings(page)).map((finding) => `${width}: ${finding}`));
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}
