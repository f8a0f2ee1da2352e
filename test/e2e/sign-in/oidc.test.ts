import { randomBytes } from 'node:crypto';
import { useTestHost } from '../../support/platform';
import { send } from '../../support/rest-client';
import { cookieOf, sendAs, untilSignInIsRequired } from './support/accounts';
import {
  configureProvider,
  createJar,
  signInByProvider,
  startIdentityProvider,
  type IdentityProvider,
} from './support/identity-provider';

const secretKey = randomBytes(32).toString('base64');

describe('sign-in by an identity provider', () => {
  const host = useTestHost({ environment: { GANTRY_SECRET_KEY: secretKey } });
  let provider: IdentityProvider;

  beforeAll(async () => {
    provider = await startIdentityProvider({ redirectUris: [`${host.address}/api/platform/oidc/callback`] });
    provider.people.set('ann-1', { email: 'Ann@example.com', email_verified: true, name: 'Ann', groups: ['admins'] });
    await configureProvider({ databaseUrl: host.databaseUrl, secretKey }, { issuer: provider.issuer });
    await untilSignInIsRequired(host.address);
  });
  afterAll(() => provider.close());

  it('creates an administrator and opens a session', async () => {
    const answer = await signInByProvider(createJar(), host.address, 'ann-1', '/admin/content/product?page=2');

    expect([answer.status, answer.headers.location]).toEqual([303, '/admin/content/product?page=2']);
    const session = await sendAs(host.address, cookieOf(answer), 'GET', '/api/platform/session');
    expect(session.json.data).toMatchObject({
      mode: 'sign-in',
      user: { kind: 'person', name: 'Ann', roles: ['administrator'] },
      identityProvider: { name: 'Example login' },
    });
  });

  it('is offered by name to a browser without a session', async () => {
    const { json } = await send(host.address, '/api/platform/session');

    expect(json.data).toEqual({ mode: 'sign-in', user: null, identityProvider: { name: 'Example login' } });
  });
});
