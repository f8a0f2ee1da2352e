import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { execute } from '../../../support/database';
import { useTestHost } from '../../../support/platform';
import { createUsers, password, sendAs, untilSignInIsRequired, useLink } from '../../sign-in/support/accounts';
import { adminPlugins } from '../support/content';
import { goInside } from '../support/go-inside';
import { chooseInRow } from '../support/lists';
import { accessibilityFindings, useAdminTab } from '../support/open-pages';

const ann = 'ann@example.com';

const secretKey = randomBytes(32).toString('base64');
const host = useTestHost({ plugins: adminPlugins, environment: { GANTRY_SECRET_KEY: secretKey } });
const tab = useAdminTab(() => host.address);

describe('on a platform with sign-in, the admin pages', () => {
  let secret = '';

  beforeAll(async () => {
    [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
  });
  beforeEach(() => tab().forgetErrors());

  it('show the form to sign in and nothing else, whatever address is opened', async () => {
    const { page, open, requests } = tab();
    await open('/content/product');

    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

    expect(await page.locator(':focus').getAttribute('autocomplete')).toBe('username');
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.content()).not.toContain('displayName');
    expect(requests).toEqual(['GET /api/platform/session']);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('set a password by a one-time link, and say why one is refused', async () => {
    const { page, open } = tab();
    await open(`/set-password#${secret}`);
    await page.getByLabel('New password', { exact: true }).fill('password');
    await page.getByLabel('Repeat the new password', { exact: true }).fill('password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('one of the most common passwords').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the new password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');

    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('sign out and in again, at the address that was asked for', async () => {
    const { page, open } = tab();
    await page.getByRole('button', { name: `Account of ${ann}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();

    await open('/plugins');
    await signIn('a wrong password');
    await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
    await signIn(password);

    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
  });

  it('ask to sign in again over a form, and keep what was typed', async () => {
    const { page } = tab();
    await goInside(page, '/content/catalog/new');
    await page.getByLabel('Code').fill('spring');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog', { name: 'The session has ended. Sign in again.' }).waitFor();

    await signIn(password);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Code').inputValue()).toBe('spring');
    await page.getByRole('button', { name: 'Create', exact: true }).click();

    await page.getByRole('heading', { level: 1, name: 'spring' }).waitFor();
  });

  it('set up an authenticator app, and ask for its code at the next sign-in', async () => {
    const { page, open } = tab();
    await goInside(page, '/account');
    const section = page.getByRole('region', { name: 'Authenticator app' });
    await section.getByLabel('Your password', { exact: true }).fill(password);
    await section.getByRole('button', { name: 'Set up an app' }).click();
    await section.getByRole('img', { name: 'QR code of the key' }).waitFor();
    const app = new TOTP({ secret: Secret.fromBase32((await section.locator('code').textContent()) ?? '') });
    expect(await accessibilityFindings(page)).toEqual([]);
    await section.getByLabel('Code that the app shows').fill(app.generate());
    await section.getByRole('button', { name: 'Confirm' }).click();
    const codes = (await section.getByRole('status').locator('pre').textContent()) ?? '';

    await page.context().clearCookies();
    await open('/account');
    await signIn(password);
    await page.getByLabel('Code of the authenticator app').fill(codes.split('\n')[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();

    await section.getByLabel('Your password', { exact: true }).fill(password);
    await section.getByRole('button', { name: 'Remove the app' }).click();
    await section.getByRole('button', { name: 'Set up an app' }).waitFor();
  });

  it('create an API token that is shown once, and revoke it', async () => {
    const { page } = tab();
    await page.getByLabel('Name of the token').fill('nightly');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const token = await page.getByText(/^gty_/).textContent();
    expect(await accessibilityFindings(page)).toEqual([]);
    const status = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token ?? ''}` };
      return (await fetch(`${host.address}/api/cms/items/types`, { headers })).status;
    };
    expect(await status()).toBe(200);

    await page.getByRole('button', { name: 'Revoke nightly' }).click();
    await page.getByRole('button', { name: 'Revoke nightly' }).waitFor({ state: 'detached' });

    expect(await status()).toBe(401);
  });

  it('ask who is there before what outlasts the session, and keep what was typed', async () => {
    const { page } = tab();
    await goInside(page, '/account');
    await execute(host.databaseUrl, `UPDATE gantry_session SET presence_at = now() - interval '11 minutes'`);
    const create = page.getByRole('button', { name: 'Create a token' });
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await page.getByLabel('Name of the token').fill('weekly');
    await create.click();
    await dialog.getByLabel('Your password', { exact: true }).fill('a wrong password');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The current password is wrong.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Nothing was changed').waitFor();

    await create.click();
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');

    await page.getByText(/^gty_/).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke weekly' }).waitFor();
  });

  it('create a user whose link is shown once, and keep the last administrator', async () => {
    const { page } = tab();
    await goInside(page, '/users');
    await chooseInRow(page, ann, 'Delete …');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').getByText('This is the last enabled administrator.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email address').fill('cat@example.com');
    await page.getByRole('checkbox', { name: 'Administrator' }).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/\/admin\/set-password#/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('rowheader', { name: 'cat@example.com' }).waitFor();
  });

  it('find users by a part of their name, by role and by state, and keep that in the address', async () => {
    const { page } = tab();
    await goInside(page, '/users');
    await page.getByRole('rowheader', { name: ann }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter users' }).fill('cat');
    await page.getByRole('rowheader', { name: ann }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'No password yet 1' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 of \d+ users$/ })
      .waitFor();
    expect(new URL(page.url()).search).toBe('?state=pending&q=cat');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('administrator');
    await page.getByRole('link', { name: /^Disabled/ }).click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all users' }).click();
    await page.getByRole('rowheader', { name: ann }).waitFor();
  });

  it('reset the password of another person, who can end what works on with it', async () => {
    const { page, go } = tab();
    const [secretOfDan = ''] = await createUsers(host.databaseUrl, ['dan@example.com']);
    const dan = await useLink(host.address, secretOfDan);
    await sendAs(host.address, dan, 'POST', '/api/platform/account/tokens', { name: 'of a thief' });
    await sendAs(host.address, dan, 'POST', '/api/platform/webhooks', { name: 'Copy', url: 'https://example.com/' });
    await go('/users');
    await page.getByRole('button', { name: `More actions for ${ann}` }).click();
    await page.getByRole('menuitem', { name: 'Roles …' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Reset password …' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await chooseInRow(page, 'dan@example.com', 'Reset password …');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a link' }).click();
    await dialog.getByText('of a thief').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    const link = (await dialog.getByText(/\/admin\/set-password#/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    const context = await page.context().browser()?.newContext();
    const other = await context?.newPage();
    if (other === undefined) throw new Error('The browser opened no other window.');
    await other.goto(`${host.address}/admin/set-password#${link.split('#')[1] ?? ''}`);
    await other.getByLabel('New password', { exact: true }).fill(password);
    await other.getByLabel('Repeat the new password', { exact: true }).fill(password);
    await other.keyboard.press('Enter');
    await other.getByText('of a thief').waitFor();
    await other.getByText('https://example.com/').waitFor();
    expect(await accessibilityFindings(other)).toEqual([]);
    await other.getByRole('button', { name: 'End this access' }).click();
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    await goInside(other, '/account');
    await other.getByLabel('Name of the token').waitFor();
    expect(await other.getByText('of a thief').count()).toBe(0);
    await context?.close();
  });

  it('say that the role as which a browser sees them is gone, and let it end that', async () => {
    const { page, open } = tab();
    const [secretOfDan = ''] = await createUsers(host.databaseUrl, ['dan@example.com']);
    const dan = await useLink(host.address, secretOfDan);
    await sendAs(host.address, dan, 'POST', '/api/platform/roles', { name: 'gone' });
    await page.evaluate(`fetch('/api/platform/view-as', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"roles":["gone"]}' })`);
    await sendAs(host.address, dan, 'DELETE', '/api/platform/roles/gone', {});
    await open('/');

    await page.getByRole('button', { name: 'Viewed as gone. End' }).click();

    await page.getByRole('button', { name: 'Viewed as gone. End' }).waitFor({ state: 'detached' });
    await goInside(page, '/users');
    await page.getByRole('rowheader', { name: 'dan@example.com' }).waitFor();
  });

  it('are loaded again when another person signs in over a form', async () => {
    const { page } = tab();
    await goInside(page, '/content/catalog/new');
    await page.getByLabel('Code').fill('autumn');
    const [bobs = ''] = await createUsers(host.databaseUrl, ['bob@example.com']);
    await useLink(host.address, bobs);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog', { name: 'The session has ended. Sign in again.' }).waitFor();

    await signIn(password, 'bob@example.com');

    await page.getByRole('button', { name: 'Account of bob@example.com' }).waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('');
  });

  async function signIn(secretText: string, login = ann): Promise<void> {
    const { page } = tab();
    await page.getByLabel('Email address').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(secretText);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
});
