import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { findingsInOppositeLooks } from '../support/all-looks';
import { create, createMany, readText, remove } from '../support/content';
import { choose, chooseInRow, drag } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeForms(host: TestHost, tab: () => AdminTab): void {
  const picker = (page: Page, name = 'Catalog') => page.getByRole('combobox', { name, exact: true });
  const typed = (page: Page) => page.locator('#field-code');

  describe('what a field refers to', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('is created in a drawer over the form, and is chosen then', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.locator('#field-name:focus').waitFor();
      await typed(page).fill('F-1');
      await picker(page).pressSequentially('spring');
      await page.getByRole('option', { name: 'New catalog “spring” …' }).click();

      const drawer = page.getByRole('dialog', { name: 'New catalog' });
      expect(await drawer.getByLabel('Name').inputValue()).toBe('spring');
      expect(new URL(page.url()).search).toBe('?open=catalog.new.catalog');
      expect(await findingsInOppositeLooks(page)).toEqual([]);
      await drawer.getByLabel('Code').fill('spring');
      await page.keyboard.press('Control+s');

      await drawer.waitFor({ state: 'detached' });
      expect(await picker(page).inputValue()).toBe('spring');
      expect(await typed(page).inputValue()).toBe('F-1');
      expect(new URL(page.url()).search).toBe('');
      await page.locator('#field-catalog:focus').waitFor();
    });

    it('is opened and changed in a drawer, and goes by its new name', async () => {
      const { page } = tab();
      await page.getByRole('link', { name: 'Open spring' }).click();
      const drawer = page.getByRole('dialog', { name: 'spring' });
      await drawer.getByLabel('Name').fill('Spring, early');
      await drawer.getByRole('button', { name: 'Save' }).click();

      await drawer.waitFor({ state: 'detached' });
      expect(await picker(page).inputValue()).toBe('Spring, early');
    });

    it('closes by Back and by Escape, and only after a question when something in it is unsaved', async () => {
      const { page } = tab();
      const drawer = page.getByRole('dialog', { name: 'Spring, early' });
      await page.getByRole('link', { name: 'Open Spring, early' }).click();
      await drawer.waitFor();
      await page.goBack();
      await drawer.waitFor({ state: 'detached' });

      await page.getByRole('link', { name: 'Open Spring, early' }).click();
      await drawer.getByLabel('Name').fill('Half a');
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay here' }).click();
      expect(await drawer.getByLabel('Name').inputValue()).toBe('Half a');
      await page.goBack();
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await drawer.waitFor({ state: 'detached' });
      expect(await typed(page).inputValue()).toBe('F-1');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'F-1' }).waitFor();
    });

    it('has a separate address, drawer over drawer, and each closes alone', async () => {
      const { page, open } = tab();
      const spring = await create(host.address, 'catalog', { code: 'deep', name: 'Deep' });
      const parent = await create(host.address, 'category', { code: 'tools', name: 'Tools', catalog: spring });
      const child = await create(host.address, 'category', { code: 'spades', name: 'Spades', catalog: spring, parent });
      await open(`/content/category/${child}?open=category.${parent}.parent&open=catalog.${spring}.catalog`);

      const [lower, upper] = ['Tools', 'Deep'].map((name) => page.getByRole('dialog', { name }));
      await upper?.getByLabel('Name').waitFor();
      await page.keyboard.press('Escape');
      await upper?.waitFor({ state: 'detached' });
      expect(await lower?.getByLabel('Name').inputValue()).toBe('Tools');
      await lower?.getByRole('link', { name: 'Deep' }).click();
      await upper?.getByLabel('Name').waitFor();
      await upper?.getByRole('button', { name: 'Cancel' }).click();
      await upper?.waitFor({ state: 'detached' });
      await lower?.getByRole('button', { name: 'Close' }).click();
      await lower?.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
    });

    it('is found with one request at a time, and page by page', async () => {
      const { page, go, requests } = tab();
      await createMany(
        host.address,
        'article',
        Array.from({ length: 25 }, (_, index) => ({ title: `Garden ${index + 1}`, slug: `garden-${index + 1}` })),
      );
      await go('/content/trendingarticlecomponent/new');
      const add = picker(page, 'Add to Articles');
      const from = requests.length;
      await add.pressSequentially('garden', { delay: 40 });
      await page.getByRole('option', { name: /^Garden 25/ }).waitFor();
      const sent = requests.slice(from).filter((request) => request.startsWith('POST'));
      // Of six letters; on a busy machine, the pauses between them are longer.
      expect(sent.length).toBeLessThanOrEqual(3);
      await eventually(async () => (await page.getByRole('option', { name: /^Garden/ }).count()) === 20);
      await page.getByRole('option', { name: 'Load more' }).click();
      await eventually(async () => (await page.getByRole('option', { name: /^Garden/ }).count()) === 25);
      await page.getByRole('option', { name: /^Garden 25/ }).click();
    });

    it('is left with Tab while choices are open, and chosen with Enter where only one is found', async () => {
      const { page, go } = tab();
      await go('/content/trendingarticlecomponent/new');
      const add = picker(page, 'Add to Articles');
      await add.press('ArrowDown');
      await page.getByRole('option', { name: /^Garden 25/ }).waitFor();
      await page.keyboard.press('Tab');
      await page.locator('#field-articles:not(:focus)').waitFor();
      expect(await add.getAttribute('aria-expanded')).toBe('false');

      await add.focus();
      await page.keyboard.type('garden 24');
      // The results are not known yet: no item is chosen, and no request sent.
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: /^Garden 25/ }).waitFor({ state: 'detached' });
      await page.locator('form .mantine-Loader-root').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Chosen Articles' }).getByText('Garden 24').waitFor();
      expect(await page.getByText('Title is required').count()).toBe(0);
      await page.getByRole('button', { name: 'Discard changes' }).click();
    });

    it('is put in another order by keys, which keep the focus, and by dragging', async () => {
      const { page, go } = tab();
      await go('/content/trendingarticlecomponent/new');
      await page.getByLabel('Title').fill('Most liked');
      for (const title of ['Garden 25', 'Garden 24', 'Garden 23']) {
        await picker(page, 'Add to Articles').pressSequentially(title);
        // Options that move between the two halves of a click do not get it.
        await eventually(async () => (await page.getByRole('option', { name: /^Garden/ }).count()) === 1);
        await page.locator('form .mantine-Loader-root').waitFor({ state: 'detached' });
        await page.getByRole('option', { name: new RegExp(`^${title}`) }).click();
        await page.getByRole('list', { name: 'Chosen Articles' }).getByText(title).waitFor();
      }
      const order = () => page.getByRole('list', { name: 'Chosen Articles' }).getByRole('link').allTextContents();
      await page.getByRole('button', { name: 'Move down Garden 25' }).focus();
      for (let count = 0; count < 3; count += 1) await page.keyboard.press('Enter');
      expect(await order()).toEqual(['Garden 24', 'Garden 23', 'Garden 25']);
      await page.locator(':focus[aria-label="Move down Garden 25"]').waitFor();

      await drag(page, 2, 0);
      expect(await order()).toEqual(['Garden 25', 'Garden 24', 'Garden 23']);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Most liked' }).waitFor();
    });
  });

  describe('a form', () => {
    it('continues with another item after saving, and begins with a copy of one', async () => {
      const { page, go } = tab();
      await go('/content/catalog/new');
      await page.getByLabel('Name').fill('Summer');
      await typed(page).fill('summer');
      await choose(page, 'More save options', 'Create and add another');
      await page.getByText('Saved catalog Summer').first().waitFor();
      await eventually(async () => (await typed(page).inputValue()) === '');
      await page.locator('#field-name:focus').waitFor();

      const id = await create(host.address, 'catalog', { code: 'winter', name: 'Winter' });
      await go(`/content/catalog/${id}`);
      await chooseInRow(page, 'Winter', 'Duplicate');
      await page.getByRole('heading', { level: 1, name: 'New catalog' }).waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Winter');
      await page.getByRole('button', { name: 'Discard changes' }).click();
      expect(await page.getByLabel('Name').inputValue()).toBe('');
      expect(tab().errors).toEqual([]);
    });

    it.each([
      ['fails', (route: Route) => route.fulfill({ status: 500, json: failure('INTERNAL', 'The platform failed.') })],
      [
        'is away',
        (route: Route) => route.fulfill({ status: 503, json: failure('UNAVAILABLE', 'The database is away.') }),
      ],
      ['answers with no sense', (route: Route) => route.fulfill({ status: 502, body: '<html>' })],
      ['breaks the connection', (route: Route) => route.abort('connectionreset')],
    ])('keeps what was typed and can be saved again when the platform %s', async (what, answer) => {
      const { page, go } = tab();
      const code = what.replaceAll(' ', '-');
      await go('/content/catalog/new');
      await typed(page).fill(code);
      await page.route('**/api/cms/items/catalog', answer);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const alert = page.getByRole('alert').filter({ hasText: 'Your changes are still here.' });
      await alert.waitFor();
      expect(await typed(page).inputValue()).toBe(code);

      await page.unroute('**/api/cms/items/catalog');
      await alert.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('heading', { level: 1, name: code }).waitFor();
      tab().forgetErrors();
    });

    it('says that a save takes long, and keeps what is typed meanwhile', async () => {
      const { page, go } = tab();
      await go('/content/catalog/new');
      await typed(page).fill('slow');
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route('**/api/cms/items/catalog', async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.press('Control+s');
      await page.getByText('The platform is slow to answer. Still saving').waitFor();
      await page.getByLabel('Name').fill('Typed meanwhile');
      goOn();

      await page.getByRole('heading', { level: 1, name: 'slow' }).waitFor();
      await page.unroute('**/api/cms/items/catalog');
      expect(await page.getByLabel('Name').inputValue()).toBe('Typed meanwhile');
      await page.getByText('1 field changed').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('version 2').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect(await readText(host.address, 'catalog', id)).toContain('"name":"Typed meanwhile"');
    });

    it('is created again when somebody has deleted the item meanwhile', async () => {
      const { page, go } = tab();
      const catalog = await create(host.address, 'catalog', { code: 'anew' });
      const id = await create(host.address, 'product', { code: 'P-anew', price: 3, catalog });
      await go(`/content/product/${id}`);
      await page.getByLabel('Name').fill('Typed in vain?');
      await remove(host.address, 'product', id);
      await page.keyboard.press('Control+s');
      await page.getByRole('alert').getByText('The item was deleted.').waitFor();
      await page.getByRole('button', { name: 'Create it again' }).click();

      await page.waitForURL(({ pathname }) => !pathname.endsWith(`/${id}`));
      const text = await readText(host.address, 'product', new URL(page.url()).pathname.split('/').at(-1) ?? '');
      expect(text).toContain('"name":"Typed in vain?"');
      expect(text).toContain('"label":"anew"');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      tab().forgetErrors();
    });

    it('is left without more ado as soon as it is saved', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'catalog', { code: 'left' });
      await go(`/content/catalog/${id}`);
      await page.getByLabel('Name').fill('Saved on the way out');
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route(`**/api/cms/items/catalog/${id}`, async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.press('Control+s');
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      goOn();

      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.unroute(`**/api/cms/items/catalog/${id}`);
      expect(await readText(host.address, 'catalog', id)).toContain('Saved on the way out');
    });

    it('gives a type that it does not know a text input, and shows any text as text', async () => {
      const { page, open } = tab();
      const name = `<b>bold</b> ${'long '.repeat(30)}שלום evil`;
      const id = await create(host.address, 'catalog', { code: 'odd', name });
      await page.route('**/catalog/metadata', async (route) => {
        const answer = await route.fetch();
        const text = (await answer.text()).replace(/("name":"name"[^}]*?"type":)"STRING"/g, '$1"COLOUR"');
        await route.fulfill({ response: answer, body: text });
      });
      await open(`/content/catalog/${id}`);
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name);
      expect(await page.locator('main b', { hasText: 'bold' }).count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      await page.unroute('**/catalog/metadata');
    });

    it('is left by Escape outside of an input, after a question when something is unsaved', async () => {
      const { page, open } = tab();
      await open('/content/catalog/new');
      await typed(page).fill('left');
      await page.keyboard.press('Escape');
      expect(new URL(page.url()).pathname).toBe('/admin/content/catalog/new');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click();
      await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
    });

    it('is left by Escape although it has lists of choices, which are closed', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.getByRole('combobox', { name: 'Approval status' }).click();
      await page.getByRole('option', { name: 'Approved', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      expect(new URL(page.url()).pathname).toBe('/admin/content/product/new');
      await page.getByRole('heading', { level: 1 }).focus();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1, name: 'Product' }).waitFor();
    });
  });

  describe('keys', () => {
    it('are listed after a question mark, and lead to the search and to imports', async () => {
      const { page, go } = tab();
      await go('/');
      await page.keyboard.press('Shift+?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Save', { exact: true }).waitFor();
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.getByRole('textbox', { name: 'Go to' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.insertText('import cat');
      await page.locator('[data-selected]').getByText('Import cat').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Import cat' }).waitFor();
    });
  });

  describe('an import in the page', () => {
    beforeAll(() => create(host.address, 'catalog', { code: 'tools' }));

    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

    it('reports every line that is wrong, and writes none of them', async () => {
      const { page, go } = tab();
      await go('/content/product/import');
      const text = 'Code;Label;Price;Colour\nI-1;Spade;12.50;red\nI-2;Hoe;cheap;blue\n;Rake;3;\n';
      await page.setInputFiles('input[type=file]', file('tools.csv', text));
      expect(await page.getByLabel('Delimiter').inputValue()).toBe(';');
      expect(await page.getByLabel('Field for Code').inputValue()).toBe('code');
      await page.getByLabel('Field for Label').selectOption('name');
      expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
      await page.getByLabel('Catalog of all items').fill('tools');
      await page.getByRole('button', { name: 'Import', exact: true }).press('Enter');

      await page.getByRole('alert').getByText('2 of 3 items are not valid').waitFor();
      const lines = await page
        .getByRole('region', { name: 'Lines with problems' })
        .getByRole('listitem')
        .allTextContents();
      expect(lines).toEqual(['Line 3, Price: "cheap" is not a number', 'Line 4, Code: is required']);
      const wrong = page.getByRole('region', { name: 'Columns of the file' }).locator('[data-wrong]');
      expect(await wrong.allInnerTexts()).toEqual(['cheap\nmust be a number', 'is required']);
      await page.getByRole('button', { name: 'Import', exact: true }).and(page.locator(':focus')).waitFor();
      expect(await findingsInOppositeLooks(page)).toEqual([]);
      tab().forgetErrors();
    });

    it('only checks when it is asked to, and writes all lines of a file that is sound', async () => {
      const { page } = tab();
      const text = 'Code;Label;Price;Colour\nI-1;Spade;12.50;red\nI-2;Hoe;13;blue\n';
      await page.setInputFiles('input[type=file]', file('tools.csv', text));
      await page.getByLabel('Field for Label').selectOption('name');
      await page.getByLabel('Catalog of all items').fill('tools');
      await page.getByRole('button', { name: 'Check only' }).click();
      await page.getByText('Nothing was written yet.').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('Imported 2 items').waitFor();
      await page.getByRole('link', { name: 'View list' }).click();
      await page.getByRole('cell', { name: 'I-2', exact: true }).waitFor();
      expect(tab().errors).toEqual([]);
    });

    it.each([
      ['has two columns of one name', file('twice.csv', 'code,code\nI-3,I-4\n'), 'Two columns have the name code.'],
      ['has a column without a name', file('unnamed.csv', 'code,\nI-3,x\n'), 'Column 2 has no name'],
      ['is no text', file('table.xls', 'code\0name'), 'The file is not UTF-8 text.'],
      ['is broken JSON', file('cut.json', '[{"code": "I-3"'), 'The file is not a JSON array of objects.'],
    ])('says so when a file %s', async (_what, chosen, text) => {
      const { page, go } = tab();
      await go('/content/catalog/import');
      await page.setInputFiles('input[type=file]', chosen);
      await page.getByText(text).waitFor();
      expect(tab().errors).toEqual([]);
    });

    it('asks for the file again when it was changed since it was chosen', async () => {
      const { page, go } = tab();
      const folder = await mkdtemp(join(tmpdir(), 'gantry-import-'));
      const path = join(folder, 'changing.csv');
      await writeFile(path, 'code\nI-5\n');
      await go('/content/catalog/import');
      await page.setInputFiles('input[type=file]', path);
      await page.getByLabel('Field for code').waitFor();
      await writeFile(path, 'code\nI-5, corrected\n');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByRole('alert').getByText('was changed, moved or removed. Choose it again.').waitFor();

      await page.setInputFiles('input[type=file]', path);
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await rm(folder, { recursive: true });
      await page.getByLabel('Delimiter').selectOption('Tab');
      await page.getByText('The file cannot be read.').waitFor();
      tab().forgetErrors();
    });

    it('shows how far it is, asks before it is left, and writes nothing when it is cancelled', async () => {
      const { page, go } = tab();
      await go('/content/promotion/import');
      const rows = Array.from({ length: 60_000 }, (_, index) => `{"code":"bulk-${index}"}`).join('\n');
      await page.setInputFiles('input[type=file]', file('many.jsonl', rows));
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText(/Importing: [\d,]+ items read/).waitFor();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('dialog', { name: 'Cancel the import?' }).getByRole('button', { name: 'Stay here' }).click();
      await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('status').getByText('Nothing was written.').waitFor();

      const answer = await fetch(`${host.address}/api/cms/items/promotion/list?limit=1`, { method: 'POST' });
      expect(((await answer.json()) as { data: unknown }).data).toEqual([]);
    });
  });

  function failure(code: string, message: string) {
    return { error: { code, message, requestId: 'test' } };
  }
}
