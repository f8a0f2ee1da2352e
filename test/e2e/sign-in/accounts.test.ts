import { useTestHost } from '../../support/platform';
import { testCredentials } from './accounts/credentials';
import { testPasskeyAttacks } from './accounts/passkey-attacks';
import { testPasskeyInput } from './accounts/passkey-input';
import { testPasskeys } from './accounts/passkeys';
import { testSecondFactor } from './accounts/second-factor';

// Each suite is a client by itself, whose attempts are counted apart.
const host = useTestHost({ environment: { GANTRY_TRUSTED_PROXIES: '127.0.0.1' } });

describe('a platform with sign-in', () => testCredentials(host));
describe('an authenticator app', () => testSecondFactor(host));
describe('a passkey', () => testPasskeys(host));
describe('what a client sends for a passkey', () => testPasskeyInput(host));
describe('the sign-in with a passkey refuses', () => testPasskeyAttacks(host));
