import type { AccountsPort, AuditEntry, ChangeAuthor } from '@gantry/core-http/ports';
import type { WebhooksOfUsers } from './accounts/webhooks-of-users';
import type { Permission } from '@gantry/contracts';
import type { Logger, Database } from '@gantry/plugin-api';
import type { HostDatabase } from '@gantry/core-database';
import { createAccounts, type Accounts, type AccountsOptions } from './accounts/accounts';
import { createAudit, type Audit } from './audit';
import { createAuthenticator, type Authenticator } from './sign-in/authenticator';
import { changeAccounts, recordTogether, type AccountChange, type RecordedChange } from './accounts/change-accounts';
import { createOidc, type Oidc } from './oidc/oidc';
import { createPasswords } from './sign-in/passwords';
import { rotateKey, type KeyRotation, type Reseal } from './rotate-key';
import type { SecretBox } from '@gantry/core-common';
import type { SessionLimits } from './sign-in/sessions';
import { readInstallationId, readSignIn, type SignInSetting } from './settings';

/** Who may use the platform. */
export interface Identity extends Accounts, AccountsPort {
  /** Whether sign-in was switched on, and so an administrator exists or a group of the identity provider has that role. */
  hasAdministrator(): boolean;
  /** Reads again whether sign-in was switched on, for example after this process created the first administrator. */
  refresh(): Promise<void>;
  readonly authenticator: Authenticator;
  /** Sign-in by an identity provider. */
  readonly oidc: Oidc;
  readonly audit: Audit;
  /**
   * Changes users, roles or credentials, and notes it in the audit log, in one transaction. It is effective at once in this process.
   * @throws GantryError UNAUTHENTICATED, FORBIDDEN when the author may not do it any more
   */
  change<T>(author: ChangeAuthor, work: (change: AccountChange) => Promise<T>): Promise<T>;
  /**
   * The same for what needs no lock and no rights beyond the proof that was compared, such as a sign-in. Sessions that it ends are
   * known to this process still.
   */
  recording<T>(author: ChangeAuthor, work: (change: RecordedChange) => Promise<T>): Promise<T>;
  /** Encrypts what is stored with another key. */
  rotateKey(author: Pick<AuditEntry, 'actor' | 'address'>): Promise<KeyRotation>;
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
  /** Of modules, and of the plugins that are in use. */
  readonly permissions?: () => readonly Permission[];
  readonly webhooks: WebhooksOfUsers;
  /** Further secrets that are encrypted with the same keys. */
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
  const installationId = await readInstallationId(store);
  const accountsOptions: AccountsOptions = {
    passwords: createPasswords(),
    secretBox: options.secretBox,
    sessions: options.sessions,
    installationId,
    permissions: options.permissions ?? (() => []),
    webhooks: options.webhooks,
  };
  const accounts = createAccounts(store, accountsOptions);
  const authenticator = createAuthenticator(database, {
    idleMinutes: options.sessions.idleMinutes,
    firstAdministrator: () => setting?.firstAdministrator,
    roles: accounts.roles,
  });
  return {
    ...accounts,
    isSignInRequired: () => isExposed || setting !== undefined,
    hasAdministrator: () => setting !== undefined,
    refresh,
    installationId,
    namesOf: (actors) => readUserNames(store, actors),
    authenticator,
    oidc: createOidc(store, database, options.secretBox),
    audit,
    async change(author, work) {
      const result = await changeAccounts(store, accountsOptions, author, work);
      authenticator.forget();
      return result;
    },
    recording: (author, work) => recordTogether(store, accountsOptions, author, work),
    rotateKey: (author) => rotateKey(store, options.secretBox, author, options.reseal),
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

/** Display names of users, by what the audit log and the change feed call them, such as `user:12`; of those that exist. */
async function readUserNames(
  database: Pick<Database, 'query'>,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = actors.flatMap((actor) => /^user:(\d{1,18})$/.exec(actor)?.[1] ?? []);
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ actor: string; name: string }>(
    `SELECT 'user:' || id AS actor, display_name AS name FROM gantry_user WHERE id = ANY ($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ actor, name }) => [actor, name]));
}
