import type { Locator, Page } from 'playwright-core';
import { askUntil } from '../../../support/ask-until';
import { accessibilityFindings } from './open-pages';

/** The heads of the table, in order. */
export async function heads(page: Page): Promise<readonly string[]> {
  await page.getByRole('columnheader', { name: 'Actions' }).waitFor();
  const texts = await page.getByRole('columnheader').allInnerTexts();
  return texts.map((text) => text.trim());
}

/** The tab of a saved view. */
export function viewTab(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name, exact: true });
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

export async function choose(page: Page, menu: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page
    .getByRole('menuitem', { name: item, exact: true })
    .or(page.getByRole('menuitemcheckbox', { name: item, exact: true }))
    .click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Opens a menu and chooses an item as one does without a mouse, waiting for the focus as one who sees it does. */
export async function chooseByKeyboard(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).press('Enter');
  await page.locator('[role=menu] :focus').waitFor({ state: 'attached' });
  const focused = page.locator(':is([role=menuitem], [role=menuitemcheckbox]):focus');
  const items = await page.locator('[role=menuitem], [role=menuitemcheckbox]').count();
  for (let pressed = 0; pressed < items; pressed += 1) {
    await page.keyboard.press('ArrowDown');
    if ((await focused.innerText()).trim() === item) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  throw new Error(`The arrow keys do not reach “${item}” in the menu “${menu}”.`);
}

/** Drags an entry of the only ordered list on the page to the position of another one. */
export async function drag(page: Page, from: number, to: number): Promise<void> {
  const [start, end] = await Promise.all([from, to].map((at) => page.locator('.drag-handle').nth(at).boundingBox()));
  await page.mouse.move((start?.x ?? 0) + 5, (start?.y ?? 0) + 5);
  await page.mouse.down();
  await page.mouse.move((end?.x ?? 0) + 5, (end?.y ?? 0) + 5, { steps: 4 });
  await page.mouse.up();
}

export function query(page: Page): URLSearchParams {
  return new URL(page.url()).searchParams;
}

/** The findings in both colour schemes and both widths, on a part of the page as it is. */
export async function findingsIn(page: Page, part: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 850 });
      // As in all-looks.ts: the scheme changes colours and nothing else.
      const rules = colorScheme === 'light' ? 'all' : 'colours';
      const findings = await accessibilityFindings(page, part, rules);
      found.push(...findings.map((finding) => `${colorScheme} ${width}: ${finding}`));
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

/** The content of a file, as soon as it has any. */
export function eventualText(
  page: Page,
  expression: string,
  isRight: (text: string) => boolean = (text) => text !== '',
): Promise<string> {
  return askUntil(async () => (await page.evaluate(`${expression}.catch(() => '')`)) as string, isRight);
}
