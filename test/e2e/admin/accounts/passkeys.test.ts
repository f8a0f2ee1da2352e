import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { CDPSession, Route } from 'playwright-core';
import { execute } from '../../../support/database';
import { useTestHost } from '../../../support/platform';
import { createUsers, password, untilSignInIsRequired, useLink } from '../../sign-in/support/accounts';
import { originOf } from '../../sign-in/support/passkeys';
import { adminPlugins } from '../support/content';
import { goInside } from '../support/go-inside';
import { accessibilityFindings, useAdminTab } from '../support/open-pages';

const ann = 'ann.passkeys@example.com';

const secretKey = randomBytes(32).toString('base64');
const host = useTestHost({ plugins: adminPlugins, environment: { GANTRY_SECRET_KEY: secretKey } });
// Passkeys are valid at localhost.
const tab = useAdminTab(() => originOf(host));

describe('with a passkey, the admin pages', () => {
  let browserKeys: CDPSession;
  let authenticatorId = '';
  let recoveryCodes: readonly string[] = [];

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    await useLink(host.address, secret);
    const { page, open } = tab();
    browserKeys = await page.context().newCDPSession(page);
    await browserKeys.send('WebAuthn.enable');
    authenticatorId = await addAuthenticator();
    await open('/account');
    await signIn();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });
  beforeEach(() => tab().forgetErrors());
  afterEach(() => expect(tab().errors.filter((error) => !error.includes('401'))).toEqual([]));

  it('set one up with a name, and show the recovery codes once', async () => {
    const { page, go } = tab();
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByLabel('Name of the passkey').fill('Laptop');
    await section.getByLabel('Your password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await section.getByText('Laptop').waitFor();

    recoveryCodes = ((await section.getByRole('status').locator('pre').textContent()) ?? '').split('\n');
    expect(recoveryCodes).toHaveLength(10);
    expect(await accessibilityFindings(page)).toEqual([]);
    await go('/account');
    await section.getByText('Laptop').waitFor();
    expect(await section.getByRole('status').count()).toBe(0);
  });

  it('take it as a confirmation of who is there', async () => {
    const { page, go } = tab();
    await go('/account');
    await execute(host.databaseUrl, `UPDATE gantry_session SET presence_at = now() - interval '11 minutes'`);
    await page.getByLabel('Name of the token').fill('nightly');
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use passkey' }).click();

    await page.getByText(/^gty_/).waitFor();
    await page.getByRole('button', { name: 'Revoke nightly' }).click();
    await page.getByRole('button', { name: 'Revoke nightly' }).waitFor({ state: 'detached' });
    tab().forgetErrors();
  });

  it('say that this device has one already', async () => {
    const { page } = tab();
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByLabel('Your password', { exact: true }).fill(password);
    await section.getByRole('button', { name: 'Add a passkey' }).click();

    await section.getByRole('alert').getByText('This device has a passkey for this account already.').waitFor();
  });

  it('use it at once after the password', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/account');
    await signIn();

    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByRole('region', { name: 'Passkeys' }).getByText('used').waitFor();
  });

  it('say when none was used, and offer another try and the recovery codes', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/');
    const { credentials } = await browserKeys.send('WebAuthn.getCredentials', { authenticatorId });
    await browserKeys.send('WebAuthn.clearCredentials', { authenticatorId });
    await signIn();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    for (const credential of credentials) {
      await browserKeys.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    await page.getByRole('button', { name: 'Use passkey' }).press('Enter');

    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('take a code while the browser waits for the passkey', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/');
    await browserKeys.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await signIn();
    await page.getByText('Confirm with your passkey, as the browser asks.').waitFor();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');

    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await browserKeys.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
  });

  it('say that a passkey was not used in time', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/');
    await page.route('**/api/platform/session', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(/"timeout":\d+/, '"timeout":100');
      await route.fulfill({ response, body: text });
    });
    await browserKeys.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await signIn();

    await page.getByRole('alert').getByText('The passkey was not used in time. Try again.').waitFor();
    await browserKeys.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await page.unroute('**/api/platform/session');
  });

  it('say that the platform does not accept a passkey, and accept the next try', async () => {
    const { page, open } = tab();
    await page.context().clearCookies();
    await open('/');
    const expireOnTheWay = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await expireChallenges();
      await route.fulfill({ response });
    };
    await page.route('**/api/platform/session', expireOnTheWay, { times: 1 });
    await signIn();
    await page.getByRole('alert').getByText('The passkey was not accepted').waitFor();

    await page.getByLabel('Recovery code').press('Enter');

    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('use it over a page whose session has ended', async () => {
    const { page } = tab();
    await goInside(page, '/content/catalog/new');
    await page.getByLabel('Code').fill('spring');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'The session has ended. Sign in again.' });
    await dialog.waitFor();
    await signIn();

    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Code').inputValue()).toBe('spring');
  });

  it('use it for a password that is set by a one-time link', async () => {
    const { page, open } = tab();
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await open(`/set-password#${secret}`);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the new password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');

    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('say where it works on another address of this machine', async () => {
    const { page } = tab();
    await page.goto(`${host.address}/admin/account`);
    await signIn();
    await page.getByText(`Passkeys work at ${originOf(host)} only. Enter a code instead.`).waitFor();
    await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '');
    await page.keyboard.press('Enter');

    const section = page.getByRole('region', { name: 'Passkeys' });
    const link = section.getByRole('link', { name: 'Open this page there' });
    expect(await link.getAttribute('href')).toBe(`${originOf(host)}/admin/account`);
    expect(await section.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  });

  it('rename it, and remove it with the password', async () => {
    const { page, open } = tab();
    await open('/account');
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await section.getByRole('button', { name: 'Remove Old laptop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Old laptop' });
    await dialog.getByLabel('Your password', { exact: true }).fill(password);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await section.getByText('Old laptop').waitFor({ state: 'detached' });

    await page.context().clearCookies();
    await open('/account');
    await signIn();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });

  it('say that a browser has no passkeys', async () => {
    const { page, open } = tab();
    await page.addInitScript('delete globalThis.PublicKeyCredential');
    await open('/account');

    await page.getByText('This browser does not support passkeys.').waitFor();
  });

  async function signIn(): Promise<void> {
    const { page } = tab();
    await page.getByLabel('Email address').fill(ann);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function expireChallenges(): Promise<void> {
    const client = new Client({
      connectionString: host.databaseUrl,
      options: '-c default_transaction_read_only=off',
    });
    await client.connect();
    try {
      await client.query(`UPDATE gantry_passkey_challenge SET expires_at = now() - interval '1 second'`);
    } finally {
      await client.end();
    }
  }

  async function addAuthenticator(): Promise<string> {
    const added = await browserKeys.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return added.authenticatorId;
  }
});
