import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { doc, documentEditor, paragraph, text } from '../support/documents';
import type { AdminTab } from '../support/open-pages';

export function describeDocumentEditor(host: TestHost, tab: () => AdminTab): void {
  const { toolbar } = documentEditor(() => tab().page);

  it('is edited where it is clicked first, also before the editor is there, and nothing moves', async () => {
    const { page, go } = tab();
    const blocks = ['One', 'Two', 'Step by step', 'Four'].map((block) => paragraph(text(block)));
    const id = await create(host.address, 'venue', { name: 'Clicked', story: doc(...blocks) });
    let load = (): void => undefined;
    const held = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/document-editor*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${host.address}/admin/content/venue/${id}`);
    const block = page.getByText('Step by step');
    await block.waitFor();
    await page.mouse.move(400, 400);
    await page.locator('.document-preview[aria-busy=true]').first().waitFor();
    const before = await block.boundingBox();
    // After its last character.
    await block.click({ position: { x: (before?.width ?? 0) - 2, y: 8 } });
    load();
    await toolbar().waitFor();
    await eventually(() => page.evaluate('document.activeElement.isContentEditable'));
    await page.unroute('**/document-editor*.js');
    expect(await block.boundingBox()).toEqual(before);
    await page.keyboard.type('XX');
    await page.getByText('Step by stepXX', { exact: true }).waitFor();

    // The toolbar is there with the first movement from now on, and takes no focus.
    await page.getByRole('button', { name: 'Discard changes' }).press('Enter');
    await go('/content/venue/new');
    await page.mouse.move(400, 400);
    await toolbar().waitFor();
    expect(await page.evaluate('document.activeElement.isContentEditable')).toBe(false);
  });
}
