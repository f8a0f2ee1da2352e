import type { Locator, Page } from 'playwright-core';
import { askUntil } from '../../../support/ask-until';

/** The heads of the table, in order. */
export async function heads(page: Page): Promise<readonly string[]> {
  await page.getByRole('columnheader', { name: 'Actions' }).waitFor();
  const texts = await page.getByRole('columnheader').allInnerTexts();
  return texts.map((text) => text.trim());
}

/** Waits until the list shows so many items from its beginning. */
export async function shown(page: Page, count: number): Promise<void> {
  const range = count === 1 ? '1' : `1–${count}`;
  await page.locator('.shown-count').getByText(range, { exact: true }).waitFor();
}

/** Chooses what is done with the item of a row. @param label the name of the item, or its beginning */
export async function chooseInRow(page: Page, label: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${label}` }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** The tab of a saved view. */
export function viewTab(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
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

/** The content of a file, as soon as it has any. */
export function eventualText(
  page: Page,
  expression: string,
  isRight: (text: string) => boolean = (text) => text !== '',
): Promise<string> {
  return askUntil(async () => (await page.evaluate(`${expression}.catch(() => '')`)) as string, isRight);
}
