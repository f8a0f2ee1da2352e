import type { Page } from 'playwright-core';
import { useTestHost } from '../../../support/platform';
import { sendJson } from '../../../support/rest-client';
import {
  createPerson,
  createUsers,
  fromPage,
  password,
  untilSignInIsRequired,
  useLink,
} from '../../sign-in/support/accounts';
import { adminPlugins } from '../support/content';
import { goInside } from '../support/go-inside';
import { chooseInRow } from '../support/lists';
import { layoutFindingsInAllWidths } from '../support/layout';
import { accessibilityFindings, useAdminTab } from '../support/open-pages';

const ann = 'ann@example.com';

const host = useTestHost({ plugins: adminPlugins });
const tab = useAdminTab(() => host.address);

describe('roles in the admin pages', () => {
  let product = 0;
  let bensLink = '';

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    const headers = fromPage(host.address, await useLink(host.address, secret));
    const create = async (type: string, item: object): Promise<number> => {
      const { json } = await sendJson(host.address, 'POST', `/api/cms/items/${type}`, item, headers);
      return json.data.id as number;
    };
    const catalog = await create('catalog', { code: 'roles' });
    product = await create('product', { code: 'P-1', name: 'Tent', price: 10, catalog });
  });
  beforeEach(() => tab().forgetErrors());

  it('are made by an administrator in a matrix of types and actions, with lists of fields', async () => {
    const { page, open } = tab();
    await open('/roles');
    await signIn(page, ann);
    await page.getByRole('rowheader', { name: 'editor' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(await layoutFindingsInAllWidths(page)).toEqual([]);

    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByLabel('Name', { exact: true }).fill('price-editor');
    await page.getByLabel('Display name').fill('Price editor');
    await page.getByLabel('Filter the types').fill('product');
    await page.getByLabel('Change: Products').check();
    // Fields that can be changed are shown.
    expect(await page.getByLabel('Read: Products').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'All fields of Products' }).click();
    await page.getByLabel('All fields, including fields that are added later').uncheck();
    await page.getByLabel('Writable: Code').uncheck();
    await page.getByLabel('Readable: Approval status').uncheck();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('rowheader', { name: 'price-editor' }).waitFor();
  });

  it('show a role as it was saved, and say why one cannot be deleted or changed', async () => {
    const { page, open } = tab();
    await goInside(page, '/roles/price-editor');
    await page.getByLabel('Change: Products').waitFor();
    expect(await page.getByLabel('Change: Products').isChecked()).toBe(true);
    expect(await page.getByLabel('Create: Products').isChecked()).toBe(false);

    await goInside(page, '/roles/editor');
    await page.getByText('This role is built in and cannot be changed.').waitFor();
    expect(await page.getByLabel('Read: All content').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await open('/roles/operator');
    expect(await page.getByLabel('Read metrics and the parts of the readiness').isChecked()).toBe(true);
  });

  it('can be about some items of a type only, by conditions as lists have them', async () => {
    const { page } = tab();
    await goInside(page, '/roles');
    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByLabel('Name', { exact: true }).fill('own-products');
    await page.getByLabel('Display name').fill('Own products');
    await page.getByLabel('Filter the types').fill('product');
    await page.getByLabel('Change: Products').check();
    await page.getByRole('button', { name: 'All items of Products' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Only items that the user has created').check();
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Code' });
    await dialog.getByLabel('Operator').selectOption({ label: 'contains' });
    await dialog.getByLabel('Value of Code').fill('P-');
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Catalog' });
    // Of the item that a reference refers to, a role compares the id alone.
    expect(await dialog.getByLabel('Field of Catalog').count()).toBe(0);
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Id of the user who changed it last' });
    await dialog.getByLabel('Add to').selectOption({ label: 'Any of these' });
    await dialog.getByLabel('Value of Id of the user who changed it last').fill('$user.id');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Price' });
    await dialog.getByLabel('Value of Price').fill('7');
    await page.keyboard.press('Enter');
    const group = dialog.getByRole('group', { name: 'Group 1, any of' });
    await group.getByText('Price').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 850 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect((await group.boundingBox())?.width).toBeLessThan(390);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('The changes of this role are not saved').waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'All fields of Products' }).click();
    await page.getByLabel('All fields, including fields that are added later').uncheck();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: 'own-products' }).waitFor();
    const { grants } = (await page.evaluate(
      `fetch('/api/platform/roles/own-products').then((answer) => answer.json()).then(({ data }) => data)`,
    )) as { readonly grants: readonly { readonly where: unknown }[] };
    expect(grants[0]?.where).toEqual([
      { field: 'createdBy', operator: 'EQUALS', value: '$user.id' },
      { field: 'code', operator: 'CONTAINS', value: 'P-' },
      {
        any: [
          { field: 'updatedBy', operator: 'EQUALS', value: '$user.id' },
          { field: 'price', operator: 'EQUALS', value: '7' },
        ],
      },
    ]);

    await goInside(page, '/roles/own-products');
    await page.getByLabel('Filter the types').fill('product');
    await page.getByRole('button', { name: 'Some items of Products' }).click();
    expect(await page.getByRole('dialog').getByRole('group', { name: 'Filters' }).textContent()).toContain(
      'Code contains',
    );
    const shown = page.getByRole('dialog').getByRole('group', { name: 'Group 1, any of' });
    await shown.getByText('$user.id').waitFor();
    expect(await page.getByLabel('Only items that the user has created').isChecked()).toBe(true);
  });

  it('explain to an administrator what a user may do', async () => {
    const { page } = tab();
    await goInside(page, '/roles');
    await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Product' });
    await page.getByLabel('Id of an item').fill(String(product));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText(`ann@example.com may read Product ${product}.`).waitFor();
    expect(await page.getByRole('status').textContent()).toContain('By the role administrator.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Id of an item').fill('none');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('must be the id of an item', { exact: false }).waitFor();
  });

  it('can be tried out in the pages', async () => {
    const { page } = tab();
    await goInside(page, '/roles/price-editor');
    await page.getByRole('button', { name: 'View the pages as this role' }).click();
    const end = page.getByRole('button', { name: 'Viewed as price-editor. End' });
    await end.waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Home', 'Products', 'Documentation']);
    expect(await accessibilityFindings(page)).toEqual([]);
    await goInside(page, '/account');
    await page.getByText('You view the pages as another role.').waitFor();
    expect(await page.getByRole('region', { name: 'API tokens' }).count()).toBe(0);

    await end.click();

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).waitFor();
  });

  it('are given to a new user', async () => {
    const { page } = tab();
    await goInside(page, '/users');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email address').fill('ben@example.com');
    await page.getByRole('checkbox', { name: 'Price editor' }).check();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    bensLink = (await page.getByText(/\/admin\/set-password#/).textContent()) ?? '';
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await chooseInRow(page, 'ben@example.com', 'Roles …');
    expect(await page.getByRole('checkbox', { name: 'Price editor' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('leave out of the pages what the reader may not do', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open(new URL(bensLink).pathname.replace('/admin', '') + new URL(bensLink).hash);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the new password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Products' }).waitFor();
    expect(await navigation.getByRole('link').allTextContents()).toEqual(['Home', 'Products', 'Documentation']);
    expect(await page.content()).not.toContain('Approval status');
    expect(await accessibilityFindings(page)).toEqual([]);

    await goInside(page, '/content/product');
    await page.getByRole('button', { name: 'More actions for P-1' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'New product' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete', exact: false }).count()).toBe(0);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Columns …' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Import …' }).count()).toBe(0);
    expect(await page.getByText('Export', { exact: true }).count()).toBe(0);
  });

  it('lock the fields that cannot be set, and save the others', async () => {
    const { page } = tab();
    await goInside(page, `/content/product/${product}`);
    await page.getByText('Read-only for your roles').first().waitFor();
    expect(await page.getByRole('group', { name: 'Code' }).textContent()).toContain('P-1');
    await page.getByLabel('Price').fill('12');
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByText('version 2').waitFor();
    expect(await page.getByRole('button', { name: 'More save options' }).count()).toBe(0);
  });

  it('that end while a form is open keep what was typed, and say why it is not saved', async () => {
    const { page } = tab();
    await page.getByLabel('Price').fill('13');
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    const headers = fromPage(host.address, await useLink(host.address, secret));
    const grants = [{ on: { plugin: 'catalog', type: 'product' }, actions: ['read'] }];
    await sendJson(host.address, 'PUT', '/api/platform/roles/price-editor', { grants }, headers);

    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByText('You have no right to update Product.').waitFor();
    expect(await page.getByLabel('Price').inputValue()).toBe('13');
  });

  it('leave out of the pages of users and roles what one who manages users may not do', async () => {
    const { page, open } = tab();
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    const session = await useLink(host.address, secret);
    const headers = fromPage(host.address, session);
    const roles = ['helper', 'reader'];
    await sendJson(
      host.address,
      'POST',
      '/api/platform/roles',
      { name: 'helper', permissions: ['users.manage'] },
      headers,
    );
    const clara = await createPerson(host.address, session, 'clara@example.com', roles);
    const [name = '', value = ''] = clara.split('=');
    await page.context().clearCookies();
    await page.context().addCookies([{ name, value, url: host.address }]);

    await open('/users');
    await page.getByRole('button', { name: 'More actions for clara@example.com' }).waitFor();
    expect(await page.getByRole('button', { name: `More actions for ${ann}` }).count()).toBe(0);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Reader' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(1 + roles.length);
    expect(await accessibilityFindings(page)).toEqual([]);

    await goInside(page, '/roles');
    await page.getByRole('rowheader', { name: 'price-editor' }).waitFor();
    expect(await page.getByRole('link', { name: 'New role' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete', exact: false }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await goInside(page, '/roles/price-editor');
    await page.getByText('Only administrators can change roles.').waitFor();
    for (const action of ['Save', 'View the pages as this role']) {
      expect(await page.getByRole('button', { name: action }).count()).toBe(0);
    }
  });

  async function signIn(page: Page, login: string): Promise<void> {
    await page.getByLabel('Email address').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
});
