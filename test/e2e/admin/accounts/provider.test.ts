import { randomBytes } from 'node:crypto';
import { eventually } from '../../../support/eventually';
import { useTestHost } from '../../../support/platform';
import { send } from '../../../support/rest-client';
import { untilSignInIsRequired } from '../../sign-in/support/accounts';
import {
  configureProvider,
  startIdentityProvider,
  type IdentityProvider,
} from '../../sign-in/support/identity-provider';
import { adminPlugins } from '../support/content';
import { goInside } from '../support/go-inside';
import { accessibilityFindings, useAdminTab } from '../support/open-pages';

const secretKey = randomBytes(32).toString('base64');
const host = useTestHost({ plugins: adminPlugins, environment: { GANTRY_SECRET_KEY: secretKey } });
const tab = useAdminTab(() => host.address);

describe('with an identity provider, the admin pages', () => {
  let provider: IdentityProvider;

  beforeAll(async () => {
    provider = await startIdentityProvider({
      redirectUris: [`${host.address}/api/platform/oidc/callback`],
      hostName: 'localhost',
    });
    provider.people.set('nina-1', {
      email: 'nina@example.com',
      email_verified: true,
      name: 'Nina',
      groups: ['admins'],
    });
    provider.people.set('eve-1', { email: 'eve@example.com', email_verified: true, groups: ['guests'] });
    await configureProvider({ databaseUrl: host.databaseUrl, secretKey }, { issuer: provider.issuer });
    await untilSignInIsRequired(host.address);
    const session = async () => (await send(host.address, '/api/platform/session')).json.data;
    await eventually(async () => (await session()).identityProvider !== null, 'the name is shown');
  });
  afterAll(() => provider.close());
  beforeEach(() => tab().forgetErrors());

  it('lead to the provider and back to the address that was asked for, by keyboard', async () => {
    const { page, open } = tab();
    await open('/plugins');
    const button = page.getByRole('link', { name: 'Sign in with Example login', exact: true });
    await button.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign in', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Sign in with Example login');
    await page.keyboard.press('Enter');
    await confirmAs('nina-1');

    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
    await page.getByRole('button', { name: 'Account of Nina' }).waitFor();
    expect(page.url()).toBe(`${host.address}/admin/plugins`);
    expect(tab().errors).toEqual([]);
  });

  it('show where an account comes from', async () => {
    const { page } = tab();
    await goInside(page, '/users');
    await page
      .getByRole('row', { name: /nina@example.com/ })
      .getByText('Identity provider')
      .waitFor();

    await goInside(page, '/account');

    await page.getByText(`You sign in with ${provider.issuer} and have no password here.`).waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Authenticator app' }).count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it('keep what was typed when the session ends, and go on after a sign-in in another window', async () => {
    const { page } = tab();
    await goInside(page, '/content/catalog/new');
    await page.getByLabel('Code').fill('winter');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'The session has ended. Sign in again.' });
    await dialog.waitFor();
    expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);

    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in with Example login in another window' }).click();
    const other = await opened;
    await other.getByLabel('Person').fill('nina-1');
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    expect(await accessibilityFindings(other)).toEqual([]);
    await other.close();
    await page.bringToFront();
    // A browser without windows gives no focus by itself.
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await dialog.waitFor({ state: 'detached' });

    expect(await page.getByLabel('Code').inputValue()).toBe('winter');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'winter' }).waitFor();
  });

  it('have the provider confirm who is there, in another window', async () => {
    const { page } = tab();
    await goInside(page, '/account');
    await page.getByLabel('Name of the token').fill('nightly');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in again in another window' }).click();
    const other = await opened;
    await other.getByLabel('Person').fill('nina-1');
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await other.close();
    await page.bringToFront();
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);

    await page.getByText(/^gty_/).waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('say why a sign-in was refused', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/plugins');
    await page.getByRole('link', { name: 'Sign in with Example login', exact: true }).click();
    await confirmAs('eve-1');
    await page.getByRole('alert').getByText('You are in no group that may use this platform.').waitFor();
    expect(page.url()).toBe(`${host.address}/admin/plugins`);
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Sign in with Example login', exact: true }).click();
    await confirmAs('');

    await page.getByRole('alert').getByText('The sign-in was cancelled at the identity provider.').waitFor();
  });

  it('show no text that an address brings', async () => {
    const { page, open } = tab();

    await open('/#sign-in-refused=pay-at-evil-example');

    await page.getByRole('alert').getByText('The sign-in failed. Try again.').waitFor();
    expect(await page.content()).not.toContain('evil');
  });

  async function confirmAs(subject: string): Promise<void> {
    const { page } = tab();
    await page.getByLabel('Person').fill(subject);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
});
