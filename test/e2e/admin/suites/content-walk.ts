import type { TestHost } from '../../../support/platform';
import { change, create, createMany, readText } from '../support/content';
import { pathOf, type AdminTab } from '../support/open-pages';
import { chooseInRow } from '../support/lists';

export function describeContentWalk(host: TestHost, tab: () => AdminTab): void {
  describe('the admin pages, from an empty platform', () => {
    afterEach(() => {
      expect(tab().errors).toEqual([]);
      expect(tab().outside).toEqual([]);
    });

    it('lead from the root of the platform to the start page, which names what is there', async () => {
      const { page } = tab();
      await page.goto(`${host.address}/`);

      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'First steps' }).waitFor();
      await page.getByRole('link', { name: 'New catalog' }).click();

      await page.getByRole('heading', { level: 1, name: 'New catalog' }).waitFor();
    });

    it('create an item and say so', async () => {
      const { page } = tab();
      await page.getByLabel('Code').fill('garden');
      await page.getByLabel('Name').fill('Garden tools');
      await page.keyboard.press('Control+s');

      await page.getByText('Saved catalog').first().waitFor();
      await page.getByRole('heading', { level: 1, name: 'garden' }).waitFor();
    });

    it('put the server’s problems onto their fields, focus the first, and keep what was typed', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.getByLabel('Price').fill('much');
      await page.getByRole('button', { name: 'Create', exact: true }).click();

      await page.getByText('Code is required.').waitFor();
      await page.getByText('Price must be a number.').waitFor();
      await page.getByText('Catalog is required.').waitFor();
      await page.locator('#field-code:focus').waitFor();
      expect(await page.getByLabel('Price').inputValue()).toBe('much');
      tab().forgetErrors();
    });

    it('find a reference as one types, and keep every digit of a number', async () => {
      const { page } = tab();
      await page.getByLabel('Code').fill('P-1');
      await page.getByLabel('Name').fill('Folding spade');
      await page.getByLabel('Price').fill('123456789012345.6789');
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).pressSequentially('tools');
      await page.getByRole('option', { name: /garden/ }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();

      await page.getByRole('heading', { level: 1, name: 'P-1' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect(await readText(host.address, 'product', id)).toContain('"price":123456789012345.6789');
    });

    it('show a number with the zeros of its example and no further ones, and leave it as it is', async () => {
      const { page, go } = tab();
      await page.getByLabel('Price').fill('39.9');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('version 2').waitFor();
      await go(pathOf(page));

      expect(await page.getByLabel('Price').inputValue()).toBe('39.90');
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    });

    it('show a value that is set on create only where nobody can write it, and send only what changed', async () => {
      const { page } = tab();
      const form = page.getByRole('form', { name: 'Edit product' });
      await form.getByText('Set on create').waitFor();
      const catalog = form.getByRole('group', { name: 'Catalog', exact: true });
      await catalog.getByText('garden').waitFor();
      expect(await catalog.getByRole('textbox').count()).toBe(0);
      expect(await form.getByLabel('Name').count()).toBe(1);
      await page.getByLabel('Name').fill('Folding spade, long');
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByRole('button', { name: 'Save', exact: true }).click();

      const request = await sent;
      expect(request.postData()).toBe('{"name":"Folding spade, long"}');
      expect(request.headers()['if-match']).toBe('"2"');
      await page.getByText('version 3').waitFor();
    });

    it('ask before unsaved changes are left, and are silent after saving', async () => {
      const { page } = tab();
      await page.getByLabel('Name').fill('Half a');
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('button', { name: 'Stay here' }).click();
      expect(await page.getByLabel('Name').inputValue()).toBe('Half a');

      await page.getByLabel('Name').fill('Whole');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('version 4').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'Continue where you stopped' }).waitFor();
    });

    it('show both sides when somebody else saved meanwhile, and save what is chosen', async () => {
      const { page, go } = tab();
      const catalog = await create(host.address, 'catalog', { code: 'winter', name: 'Winter' });
      await go(`/content/catalog/${catalog}`);
      await page.getByLabel('Name').fill('Winter, mine');
      await change(host.address, 'catalog', catalog, { name: 'Winter, theirs', code: 'winter-2' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();

      const dialog = page.getByRole('dialog', { name: 'This item was changed by someone else' });
      await dialog.getByText('Winter, theirs').waitFor();
      // Back in the form, with nothing lost and no other question.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByLabel('Name').inputValue()).toBe('Winter, mine');
      await page.locator('button:focus', { hasText: 'Save' }).press('Enter');
      await dialog.getByText('Winter, theirs').waitFor();
      await dialog.getByText('winter-2').waitFor();
      await dialog.getByRole('radio', { name: /Yours/ }).check();
      await dialog.getByRole('button', { name: 'Save the chosen values' }).click();

      await page.getByText('version 3').waitFor();
      const text = await readText(host.address, 'catalog', catalog);
      expect(text).toContain('"code":"winter-2"');
      expect(text).toContain('"name":"Winter, mine"');
      tab().forgetErrors();
    });

    it('name what refers to an item that cannot be deleted, and delete one that can', async () => {
      const { page, go } = tab();
      await go('/content/catalog');
      await chooseInRow(page, 'Garden', 'Delete …');
      const question = page.getByRole('dialog', { name: /^Delete catalog Garden.*\?$/ });
      await question.getByText('Other items refer to it').waitFor();
      expect(await question.getByText('will be deleted').count()).toBe(0);
      await question.getByText(/in (its|their) field Catalog: .*P-1/).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
      // It would be refused.
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
      await page.getByRole('dialog').getByRole('link', { name: 'Product' }).waitFor();
      await page.getByRole('dialog').getByRole('link', { name: 'P-1', exact: true }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

      // It is not known what refers to it: the platform refuses by itself.
      await page.route('**/references', (route) => route.fulfill({ json: { data: [] } }));
      await chooseInRow(page, 'Garden', 'Delete …');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'P-1', exact: true }).waitFor();
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.unroute('**/references');
      tab().forgetErrors();

      await chooseInRow(page, 'Winter', 'Delete …');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleted catalog').first().waitFor();
      await page.getByRole('button', { name: /^More actions for Winter/ }).waitFor({ state: 'detached' });
      await page.locator('.items:focus').waitFor();
    });

    it('ask for nothing of an item that was just deleted', async () => {
      const { page, go, requests } = tab();
      const catalog = await create(host.address, 'catalog', { code: 'summer', name: 'Summer' });
      await go(`/content/catalog/${catalog}`);
      await page.getByLabel('Name').fill('Summer, half a');
      await chooseInRow(page, 'Summer', 'Delete …');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

      await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
      expect(await page.getByRole('dialog', { name: 'Leave without saving?' }).count()).toBe(0);
      const path = `/api/cms/items/catalog/${catalog}`;
      const ofItem = requests.filter((request) => request.includes(path));
      expect(ofItem.at(-1)).toBe(`DELETE ${path}`);
    });

    it('keep the order of several references, and change it', async () => {
      const { page, go } = tab();
      for (const title of ['First', 'Second', 'Third']) {
        await create(host.address, 'article', { title, slug: title.toLowerCase() });
      }
      await go('/content/trendingarticlecomponent/new');
      await page.getByLabel('Title').fill('Most read');
      for (const title of ['Third', 'First', 'Second']) {
        await page.getByText('Articles', { exact: true }).last().click();
        await page.getByRole('combobox', { name: 'Add to Articles' }).and(page.locator(':focus')).waitFor();
        await page.keyboard.type(title);
        await page.getByRole('option', { name: new RegExp(`^${title}`) }).click();
      }
      await page.getByRole('button', { name: 'Move up Second' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Most read' }).waitFor();

      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const labels = [
        ...(await readText(host.address, 'trendingarticlecomponent', id)).matchAll(/"label":"(\w+)"/g),
      ].map(([, label]) => label);
      expect(labels).toEqual(['Third', 'Second', 'First']);
    });

    it('count on the home page what needs a person, and lead to it', async () => {
      const { page, go } = tab();
      await create(host.address, 'product', { code: 'unchecked', name: 'Unchecked', catalog: 1 });
      await go('/');
      const card = page.getByRole('region', { name: 'Needs attention' });
      await card.getByRole('listitem').filter({ hasText: 'Products to check' }).getByText(/^\d+$/).waitFor();
      await card.getByRole('link', { name: 'Products to check' }).click();
      await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
      await page.getByRole('row').filter({ hasText: 'unchecked' }).waitFor();
      expect(new URL(page.url()).search).toBe('?f=approvalStatus.EQUALS.CHECK');
    });

    it('have groups in the navigation that stay collapsed, but for that of the page that is open', async () => {
      const { page, go, open } = tab();
      await go('/');
      const group = page.getByRole('group', { name: 'Catalog', exact: true });
      await group.getByRole('button', { name: 'Catalog' }).click();
      await group.getByRole('link', { name: 'Products' }).waitFor({ state: 'detached' });
      await open('/');
      expect(await group.getByRole('button', { name: 'Catalog' }).getAttribute('aria-expanded')).toBe('false');
      await go('/content/product');
      await group.getByRole('link', { name: 'Products' }).waitFor();
      await go('/');
      await group.getByRole('button', { name: 'Catalog' }).click();
      await group.getByRole('link', { name: 'Products' }).waitFor();
    });

    it('empty a field of many items only when that is chosen, and of more than a hundred only when their number is typed', async () => {
      const { page, go } = tab();
      const titles = Array.from({ length: 101 }, (_, index) => `Many ${index}`);
      await createMany(
        host.address,
        'article',
        titles.map((title, index) => ({ title, slug: `many-${index < 51 ? 'few-' : ''}${index}`, body: 'Text' })),
      );
      await go('/content/article?f=slug.CONTAINS.many-');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).press('Space');
      await page.getByRole('button', { name: /^Select all / }).click();
      await page.getByRole('button', { name: 'Edit …' }).click();
      const edit = page.getByRole('button', { name: 'Edit 101 articles' });
      await edit.waitFor();
      await page.getByLabel('Field to edit').selectOption('Title');
      expect(await page.getByRole('checkbox', { name: 'Clear the field' }).count()).toBe(0);
      await page.getByLabel('Field to edit').selectOption('Body');
      await page.getByLabel('Type 101 to confirm').fill('101');
      expect(await edit.isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: 'Clear the field' }).check();
      await page.getByLabel('Type 101 to confirm').fill('10');
      expect(await edit.isDisabled()).toBe(true);
      await page.getByLabel('Type 101 to confirm').fill('101');
      expect(await edit.isEnabled()).toBe(true);

      // More than a page of them is enough to see how it goes.
      await go('/content/article?f=slug.CONTAINS.many-few');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).press('Space');
      await page.getByRole('button', { name: /^Select all / }).click();
      await page.getByRole('button', { name: 'Edit …' }).click();
      await page.getByLabel('Field to edit').selectOption('Body');
      await page.getByRole('checkbox', { name: 'Clear the field' }).check();
      await page.getByRole('button', { name: 'Edit 51 articles' }).click();
      await page.getByText('51 of 51 changed', { exact: true }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    });
  });
}
