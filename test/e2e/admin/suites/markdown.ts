import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { documentEditor } from '../support/documents';
import { findingsInOppositeLooks } from '../support/all-looks';
import type { AdminTab } from '../support/open-pages';

/** Texts in Markdown, such as the body of an article. */
export function describeMarkdown(host: TestHost, tab: () => AdminTab): void {
  const editor = documentEditor(() => tab().page);
  const toolbar = () => editor.toolbar('Body');
  let count = 0;

  async function open(body: string | null): Promise<number> {
    const { go } = tab();
    const id = await create(host.address, 'article', { title: 'Tools', slug: `markdown-${(count += 1)}`, body });
    await go(`/content/article/${id}`);
    return id;
  }

  async function saved(id: number): Promise<unknown> {
    await tab().page.keyboard.press('Control+s');
    await tab().page.getByText('version 2').waitFor();
    const answer = await fetch(`${host.address}/api/cms/items/article/${id}`);
    return ((await answer.json()) as { data: { values: { body: unknown } } }).data.values.body;
  }

  afterEach(() => expect(tab().errors).toEqual([]));

  it('are read with their toolbar before the editor is there, which comes with the first key', async () => {
    const { page, requests } = tab();
    const before = requests.length;
    await open('## Steel\n\nSee **this** and `that`.');
    await page.locator('.document-preview [data-heading="2"]', { hasText: 'Steel' }).waitFor();
    expect(await page.locator('.document-preview strong').textContent()).toBe('this');
    expect(requests.slice(before).filter((url) => url.includes('document-editor'))).toEqual([]);
    await page.keyboard.press('Tab');
    await toolbar().waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
  });

  it('are written where the first use of the page is a click into them', async () => {
    const { page } = tab();
    const id = await open(null);
    const place = await page.getByRole('textbox', { name: 'Body' }).boundingBox();
    await page.mouse.click((place?.x ?? 0) + 40, (place?.y ?? 0) + 40);
    await toolbar().waitFor();
    await eventually(() => page.evaluate("document.activeElement.classList.contains('ProseMirror')"));
    await page.keyboard.type('One');
    expect(await saved(id)).toBe('One');
  });

  it('are written by the keyboard and the toolbar, and stored as the same text with what was added', async () => {
    const { page } = tab();
    const id = await open('Q & A, 5_000 and 2 * 3.');
    await editor.edit('Body');
    await page.keyboard.press('Control+End');
    // The editor learns of the caret by an event of the browser.
    await eventually(() => page.evaluate('document.activeElement.editor.state.selection.from > 20'));
    await page.keyboard.type('\n## Steel\nOne ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('two');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Enter');
    await toolbar().getByRole('button', { name: 'Bullet list' }).click();
    await page.keyboard.type('three');
    await toolbar().getByRole('button', { name: 'Bullet list', pressed: true }).waitFor();

    expect(await saved(id)).toBe('Q & A, 5_000 and 2 * 3.\n\n## Steel\n\nOne **two**\n\n- three');
  });

  it('are edited as Markdown on request, and where the editor would lose something', async () => {
    const { page } = tab();
    const id = await open('One');
    await editor.edit('Body');
    await toolbar().getByRole('button', { name: 'Markdown' }).press('Enter');
    await editor.box('Body').fill('| a | b |\n| --- | --- |\n| 1 | 2 |');
    await toolbar().getByRole('button', { name: 'Markdown' }).click();
    await page.getByRole('status').filter({ hasText: 'edited as Markdown only' }).waitFor();
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    expect(await saved(id)).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');

    await page.reload();
    await page.getByText('| 1 | 2 |').waitFor();
    await page.mouse.move(300, 300);
    await page.locator('textarea').waitFor();
    await editor.box('Body').fill('Two');
    await toolbar().getByRole('button', { name: 'Markdown' }).click();
    await page.locator('.ProseMirror p', { hasText: 'Two' }).waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });
}
