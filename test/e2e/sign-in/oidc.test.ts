import { randomBytes } from 'node:crypto';
import { useTestHost } from '../../support/platform';
import { adminPlugins } from '../admin/support/content';
import { testAttacks } from './oidc/attacks';
import { testFirstSettings, testSettings } from './oidc/settings';
import { testSignIn } from './oidc/sign-in';

const secretKey = randomBytes(32).toString('base64');
// Each browser is a client by itself, whose attempts are counted apart.
const environment = { GANTRY_SECRET_KEY: secretKey, GANTRY_TRUSTED_PROXIES: '127.0.0.1' };
const host = useTestHost({ plugins: adminPlugins, environment });

describe('the first settings of sign-in by an identity provider', () => testFirstSettings(host, secretKey));
describe('sign-in by an identity provider', () => testSignIn(host, secretKey));
describe('the settings of sign-in by an identity provider', () => testSettings(host, secretKey));
describe('an attack on the sign-in by an identity provider', () => testAttacks(host, secretKey));
