import type { TestHost } from '../../../support/platform';
import { findingsInOppositeLooks } from '../support/all-looks';
import { createSpades } from '../support/content';
import { choose, eventualText } from '../support/lists';
import type { AdminTab } from '../support/open-pages';

export function describeExports(host: TestHost, tab: () => AdminTab): void {
  let products: readonly number[] = [];
  beforeAll(async () => {
    products = await createSpades(host.address);
  });
  afterEach(() => expect(tab().errors).toEqual([]));

  describe('an export', () => {
    /** A picker that answers with a real file of the browser's own file system. */
    const picker = `window.showSaveFilePicker = async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });`;
    const read = (name: string): string =>
      `navigator.storage.getDirectory().then((folder) => folder.getFileHandle('${name}')).then((handle) => handle.getFile()).then((file) => file.text())`;

    it('is written to a file as it comes, to be read in the columns in sight', async () => {
      const { page, open } = tab();
      await page.addInitScript(picker);
      await open('/content/product?f=name.CONTAINS.spade+2&sort=id&columns=name,catalog');
      await choose(page, 'More', 'Visible columns (CSV)');

      await expect(eventualText(page, read('product.csv'))).resolves.toMatch(
        new RegExp(`^id,name,catalog\\r\\n${products[2]},Spade 2,Garden tools\\r\\n`),
      );
    });

    it('for import elsewhere has all that the filters leave, and is imported as it is', async () => {
      const { page, go } = tab();
      await go('/content/product?f=name.CONTAINS.spade+2');
      await choose(page, 'More', 'File for import (JSON Lines)');
      const file = await eventualText(page, read('product.jsonl'));
      const lines = file.trimEnd().split('\n');
      const path = `${host.address}/api/cms/imports/product?match=code`;
      const headers = { 'content-type': 'application/x-ndjson' };
      const report = await (await fetch(path, { method: 'POST', headers, body: file })).json();

      expect(lines).toHaveLength(11);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'P-1002', catalog: 'garden' });
      expect(report).toMatchObject({ data: { items: 11, unchanged: 11 } });
    });

    it('for import elsewhere has the chosen items', async () => {
      const { page, go } = tab();
      await go('/content/product?f=name.CONTAINS.spade+2&sort=id');
      await page.getByRole('checkbox', { name: /^Select P-1002 / }).press('Space');
      await page.getByRole('checkbox', { name: /^Select P-1021 / }).press('Space');
      const actions = page.getByRole('group', { name: 'Selected items' });
      await actions.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'File for import (CSV)' }).click();

      const file = await eventualText(page, read('product.csv'), (text) => text.startsWith('code,'));
      expect(file.split('\n').map((line) => line.split(',', 1)[0])).toEqual(['code', 'P-1002', 'P-1021', '']);
    });

    it('says why there can be none, and keeps nothing of it', async () => {
      const { page, go } = tab();
      await page.route('**/api/cms/exports/catalog*', (route) =>
        route.fulfill({
          status: 400,
          json: { error: { code: 'BAD_REQUEST', message: 'It has no key to name it by.', requestId: '1' } },
        }),
      );
      await go('/content/catalog');
      await choose(page, 'More', 'File for import (CSV)');

      await page.getByText('The export failed: It has no key to name it by.').waitFor();
      expect(await findingsInOppositeLooks(page, '[role=dialog]')).toEqual([]);
      expect(await page.evaluate(read('catalog.csv'))).toBe('');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.unroute('**/api/cms/exports/catalog*');
      tab().forgetErrors();
    });

    it('can be cancelled, and then leaves nothing behind', async () => {
      const { page, go } = tab();
      await go('/content/catalog');
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api/cms/exports/catalog*', async (route) => {
        await held;
        // It was cancelled, and there may be nothing left to abort.
        await route.abort().catch(() => undefined);
      });
      await choose(page, 'More', 'File for import (JSON Lines)');
      await page.getByText('0 items so far').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      release();
      await page.unroute('**/api/cms/exports/catalog*');

      expect(await page.evaluate(read('catalog.jsonl'))).toBe('');
      tab().forgetErrors();
    });
  });
}
