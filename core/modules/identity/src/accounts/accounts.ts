import type { WebhooksOfUsers } from './webhooks-of-users';
import type { Permission } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import { createApiTokens, type ApiTokens } from '../tokens/api-tokens';
import { createProviderAccounts, type ProviderAccounts } from '../oidc/provider-accounts';
import type { Passwords } from '../sign-in/passwords';
import { createPresence, type Presence } from '../sign-in/presence';
import { createRoles, type Roles } from '../roles/roles';
import { createPasskeys, type Passkeys } from '../second-factors/passkeys';
import type { SecretBox } from '@gantry/core-common';
import { createSessions, type SessionLimits, type Sessions } from '../sign-in/sessions';
import { removeSignIn } from '../settings';
import { createSignIn, type SignIn } from '../sign-in/sign-in';
import { createTotp, type Totp } from '../second-factors/totp';
import { createUsers, type Users } from './users';
import { hasFactor, removeFactor } from '../second-factors/change-factors';
import { acceptRecoveryCode } from '../second-factors/recovery-codes';

/** Users, roles and credentials: on the database, or as one transaction sees them. */
export interface Accounts {
  readonly users: Users;
  readonly roles: Roles;
  readonly sessions: Sessions;
  readonly presence: Presence;
  readonly apiTokens: ApiTokens;
  readonly signIn: SignIn;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly secondFactors: SecondFactors;
  /** Accounts that an identity provider confirms, and its settings. */
  readonly provider: ProviderAccounts;
  readonly webhooks: WebhooksOfUsers;
  /** Opens the platform again, on its own machine. @returns whether sign-in was on */
  switchOff(): Promise<boolean>;
}

export interface AccountsOptions {
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
  readonly sessions: SessionLimits;
  readonly installationId: string;
  /** Permissions of the plugins that are in use. */
  readonly permissions: () => readonly Permission[];
  readonly webhooks: WebhooksOfUsers;
}

export function createAccounts(database: Database, options: AccountsOptions): Accounts {
  const totp = createTotp(database, options.secretBox);
  return {
    users: createUsers(database),
    roles: createRoles(database, options.permissions),
    sessions: createSessions(database, options.sessions),
    presence: createPresence(database),
    apiTokens: createApiTokens(database),
    signIn: createSignIn(database, options.passwords),
    totp,
    passkeys: createPasskeys(database, options.installationId),
    secondFactors: createSecondFactors(database, totp),
    provider: createProviderAccounts(database, options.secretBox),
    webhooks: options.webhooks,
    switchOff: () => removeSignIn(database),
  };
}

/** The second factors of a person together, whatever their kind. */
interface SecondFactors {
  /** Whether the sign-in needs more than the password, also where no passkey of the person is valid at the current address. */
  isRequired(userId: string): Promise<boolean>;
  /** Whether the code is one of the app or a recovery code; each is right once. */
  acceptCode(userId: string, code: string): Promise<boolean>;
  /** Removes the authenticator app, all passkeys and the recovery codes. */
  removeAll(userId: string): Promise<void>;
}

function createSecondFactors(database: Database, totp: Totp): SecondFactors {
  return {
    isRequired: (userId) => hasFactor(database, userId),
    acceptCode: async (userId, code) =>
      (await totp.accept(userId, code)) || (await acceptRecoveryCode(database, userId, code)),
    removeAll: (userId) =>
      removeFactor(database, userId, async (transaction) => {
        await transaction.query('DELETE FROM gantry_totp WHERE user_id = $1', [userId]);
        await transaction.query('DELETE FROM gantry_passkey WHERE user_id = $1', [userId]);
      }),
  };
}
