import { randomBytes } from 'node:crypto';
import { useTestHost } from '../../support/platform';
import { originOf } from '../sign-in/support/passkeys';
import { testPasskeys } from './accounts/passkeys';
import { testProvider } from './accounts/provider';
import { testRoles } from './accounts/roles';
import { testSignIn } from './accounts/sign-in';
import { adminPlugins } from './support/content';
import { openTab, useAdminTab, type AdminTab } from './support/open-pages';

const secretKey = randomBytes(32).toString('base64');
// One host, which is open at first and has an identity provider at last. Each suite has users that no other uses.
const host = useTestHost({ plugins: adminPlugins, environment: { GANTRY_SECRET_KEY: secretKey } });
const tab = useAdminTab(() => host.address);

describe('on a platform with sign-in, the admin pages', () => testSignIn(host, tab));
describe('roles in the admin pages', () => testRoles(host, tab));
describe('with a passkey, the admin pages', () => {
  let local: AdminTab | undefined;
  beforeAll(async () => {
    local = await openTab(tab().page.context(), originOf(host));
  });
  afterAll(() => local?.page.close());

  testPasskeys(host, () => local ?? tab());
});
describe('with an identity provider, the admin pages', () => testProvider(host, tab, secretKey));
