import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startTestHost, type TestHost } from '../../support/platform';
import { send, sendJson, type Answer } from '../../support/rest-client';
import { createSoftwareAuthenticator } from '../../support/software-authenticator';
import { cookieOf, createUsers, password } from './support/accounts';

const publicHost = 'cms.example.test';
const origin = `https://${publicHost}`;
/** Of this machine, so that no test listens on a network, and yet not one of the addresses that an open platform may have. */
const otherAddress = '127.0.0.2';

describe('a platform with an address on the network', () => {
  let database: TestDatabase;
  const environment = {
    GANTRY_HOST: otherAddress,
    GANTRY_PUBLIC_URL: origin,
    GANTRY_TRUSTED_PROXIES: '127.0.0.1',
  };

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('does not start before there is an administrator, and says how to create one', async () => {
    const start = startTestHost({ plugins: [], databaseUrl: database.url, environment });

    await expect(start).rejects.toThrow(
      /GANTRY_HOST .*127\.0\.0\.2.*gantry users create <email> --role administrator/s,
    );
  });

  it('nor with the address of this machine, when GANTRY_PUBLIC_URL is that of a proxy before it', async () => {
    const start = startTestHost({ plugins: [], databaseUrl: database.url, environment: { GANTRY_PUBLIC_URL: origin } });

    await expect(start).rejects.toThrow(/GANTRY_PUBLIC_URL .*https:\/\/cms\.example\.test.*gantry users create/s);
  });

  describe('behind a proxy that ends TLS', () => {
    let host: TestHost;
    let cookie = '';

    beforeAll(async () => {
      const [secret = ''] = await createUsers(database.url, ['ann@example.com']);
      host = await startTestHost({ plugins: [], databaseUrl: database.url, environment });
      const headers = { host: publicHost, origin, 'x-forwarded-for': '203.0.113.7' };
      const answer = await sendJson(
        host.address,
        'POST',
        '/api/platform/one-time-links',
        { secret, password },
        headers,
      );
      cookie = cookieOf(answer);
      expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-gantry=[\w-]{43}; Path=\/; .*; Secure$/);
    });
    afterAll(() => host.stop());

    it('serves the public host and the names of this machine, and no other', async () => {
      const status = async (name: string): Promise<number> =>
        (await send(host.address, '/livez', { headers: { host: name } })).status;

      await expect(status(publicHost)).resolves.toBe(200);
      await expect(status(`localhost:${host.port}`)).resolves.toBe(200);
      await expect(status('evil.example')).resolves.toBe(403);
      await expect(status(`${otherAddress}:${host.port}`)).resolves.toBe(403);
    });

    it('has browsers come back by https only', async () => {
      const { headers } = await send(host.address, '/livez', { headers: { host: publicHost } });

      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    });

    it('takes writes of pages of the public origin, and no other', async () => {
      const write = (from: string): Promise<Answer> =>
        sendJson(
          host.address,
          'POST',
          '/api/platform/account/tokens',
          { name: 'x' },
          { host: publicHost, cookie, origin: from },
        );

      const answers = await Promise.all([origin, `http://${publicHost}`, 'https://evil.example'].map(write));

      expect(answers.map(({ status }) => status)).toEqual([201, 403, 403]);
    });

    it('notes the address of the client that the trusted proxy names', async () => {
      const { json } = await send(host.address, '/api/platform/audit', { headers: { host: publicHost, cookie } });

      expect(json.data[0]).toMatchObject({ action: 'token-created' });
      const addresses = (json.data as { readonly address: string }[]).map(({ address }) => address);
      expect(addresses).toContain('203.0.113.7');
    });

    it.each([
      ['203.0.113.9:4711', '203.0.113.9'],
      ['[2001:db8::9]:4711', '2001:db8::/56'],
      ['unknown', '127.0.0.1'],
    ])('takes the address out of what the proxy sends: %s', async (sent, address) => {
      const headers = { host: publicHost, authorization: 'Bearer gty_wrong', 'x-forwarded-for': sent };
      await send(host.address, '/api/cms/items/types', { headers });

      const { json } = await send(host.address, '/api/platform/audit', { headers: { host: publicHost, cookie } });

      expect(json.data[0]).toMatchObject({ action: 'token-refused', address });
    });

    it('gives links with the public address', async () => {
      const body = { kind: 'person', login: 'bob@example.com', roles: ['administrator'] };

      const { json } = await sendJson(host.address, 'POST', '/api/platform/users', body, {
        host: publicHost,
        cookie,
        origin,
      });

      expect(json.data.link).toMatch(/^https:\/\/cms\.example\.test\/admin\/set-password#[\w-]{43}$/);
    });

    it('has passkeys of the public host name, whatever a proxy names', async () => {
      const headers = { host: publicHost, origin, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
      const write = (path: string, body: object): Promise<Answer> =>
        sendJson(host.address, 'POST', path, body, { ...headers, cookie });
      const authenticator = createSoftwareAuthenticator(origin);
      const begun = await write('/api/platform/account/passkey-registration', { currentPassword: password });
      const added = await write('/api/platform/account/passkeys', {
        registration: authenticator.create(begun.json.data),
      });
      const signIn = { login: 'ann@example.com', password };
      const asked = await sendJson(host.address, 'POST', '/api/platform/session', signIn, headers);
      const passkey = authenticator.get(asked.json.error.secondFactor.passkey.options);
      const signedIn = await sendJson(host.address, 'POST', '/api/platform/session', { ...signIn, passkey }, headers);

      expect(begun.json.data.rp).toEqual({ name: 'Gantry', id: publicHost });
      expect(added.status).toBe(201);
      expect(asked.json.error.secondFactor.passkey).toMatchObject({ origin, options: { rpId: publicHost } });
      expect(signedIn.status).toBe(200);
    });
  });
});
