import type { Permission } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { HostDatabase } from '../database';
import { createApiTokens, type ApiTokens } from './api-tokens';
import { createAudit, type Audit } from './audit';
import { createAuthenticator, type Authenticator } from './authenticator';
import { createOidc, type Oidc } from './oidc/oidc';
import { createPasswords } from './passwords';
import { createRoles, type Roles } from './roles/roles';
import { rotateKey, type KeyRotation, type Reseal } from './rotate-key';
import { createPasskeys, type Passkeys } from './second-factors/passkeys';
import { createSecondFactors, type SecondFactors } from './second-factors/second-factors';
import type { SecretBox } from './secret-key';
import { createSessions, type SessionLimits, type Sessions } from './sessions';
import { readInstallationId, readSignIn, removeSignIn, type SignInSetting } from './settings';
import { createSignIn, type SignIn } from './sign-in';
import { createTotp, type Totp } from './totp';
import { createUsers, type Users } from './users';

/** Who may use the platform. */
export interface Identity {
  /** Whether a request needs a credential. Once it does, it always does. */
  isSignInRequired(): boolean;
  /** Whether sign-in was switched on, and so an administrator exists or a group of the identity provider has that role. */
  hasAdministrator(): boolean;
  /** Reads again whether sign-in was switched on, for example after this process created the first administrator. */
  refresh(): Promise<void>;
  /** Distinguishes this installation from others on the same machine. */
  readonly installationId: string;
  readonly authenticator: Authenticator;
  readonly users: Users;
  readonly roles: Roles;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly signIn: SignIn;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly secondFactors: SecondFactors;
  /** Sign-in by an identity provider. */
  readonly oidc: Oidc;
  readonly audit: Audit;
  /** Encrypts what is stored with another key. */
  rotateKey(): Promise<KeyRotation>;
  /** Opens the platform again, on its own machine. @returns whether sign-in was on */
  switchOff(): Promise<boolean>;
  close(): void;
}

export interface IdentityOptions {
  readonly database: HostDatabase;
  readonly logger: Logger;
  /** Encrypts secrets that are read again. */
  readonly secretBox: SecretBox;
  readonly sessions: SessionLimits;
  /** Set while the platform listens beyond this machine: then sign-in is required whatever the database holds. */
  readonly isExposed: boolean;
  /** Permissions of the plugins that are in use. */
  readonly permissions?: () => readonly Permission[];
  /** What else is encrypted with the same keys. */
  readonly reseal?: readonly Reseal[];
}

/** Every process notices within this time that sign-in was switched on. */
const pollIntervalMs = 2_000;

/** Reads the settings of sign-in; the tables exist. @throws GantryError UNAVAILABLE */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, logger, isExposed } = options;
  const store = database.plugins;
  let setting: SignInSetting | undefined = await readSignIn(store);
  const refresh = async (): Promise<void> => {
    setting = (await readSignIn(store)) ?? setting;
    if (isSettled(setting)) clearInterval(timer);
  };
  const poll = (): void => {
    refresh().catch((error: unknown) => logger.debug({ err: error }, 'the mode of sign-in could not be read'));
  };
  const timer = setInterval(poll, pollIntervalMs).unref();
  if (isSettled(setting)) clearInterval(timer);
  const audit = createAudit(store, logger);
  const roles = createRoles(store, options.permissions ?? (() => []));
  const installationId = await readInstallationId(store);
  const totp = createTotp(store, options.secretBox);
  return {
    isSignInRequired: () => isExposed || setting !== undefined,
    hasAdministrator: () => setting !== undefined,
    refresh,
    installationId,
    authenticator: createAuthenticator(database, {
      idleMinutes: options.sessions.idleMinutes,
      firstAdministrator: () => setting?.firstAdministrator,
      roles,
    }),
    users: createUsers(store),
    roles,
    sessions: createSessions(store, options.sessions),
    apiTokens: createApiTokens(store),
    signIn: createSignIn(store, createPasswords()),
    totp,
    passkeys: createPasskeys(store, installationId),
    secondFactors: createSecondFactors(store, totp),
    oidc: createOidc(store, database, options.secretBox),
    audit,
    rotateKey: () => rotateKey(store, options.secretBox, options.reseal),
    switchOff: () => removeSignIn(store),
    close: () => {
      clearInterval(timer);
      audit.close();
    },
  };
}

/** Where the identity provider was configured first, nobody is administrator until somebody signs in. */
function isSettled(setting: SignInSetting | undefined): boolean {
  return setting?.firstAdministrator !== undefined;
}
