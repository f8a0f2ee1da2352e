import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { lockAccounts } from '../accounts/account-changes';
import { assertRolesExist } from '../roles/stored-roles';
import type { SecretBox } from '@gantry/core-common';
import { removeSetting } from '@gantry/core-database';
import { readSignIn, requireSignIn } from '../settings';
import { administrator } from '../accounts/user-input';
import { signInExternally, type ExternalSignIn } from './external-accounts';
import { settingName, writeOidcClient, type OidcClient, type OidcSettings } from './oidc-settings';
import type { ProviderClaims } from './provider';
import type { SignInRefusal } from './sign-in-refusal';

/** The settings of sign-in by an identity provider, and the accounts of its people. Every function runs in one transaction. */
export interface ProviderAccounts {
  /**
   * Stores settings that were checked. On an open platform, it switches sign-in on.
   * @throws GantryError VALIDATION_FAILED for an unknown role, CONFLICT on an open platform without a group for administrators
   */
  set(client: OidcClient): Promise<{ readonly settings: OidcSettings; readonly isFirst: boolean }>;
  /** Sessions that the provider has opened end. @returns whether a provider was configured */
  remove(): Promise<boolean>;
  /**
   * Finds or creates the account of a person whom the provider has confirmed. A session is opened in the same transaction: a removal
   * of the provider comes before both or ends the session.
   */
  signIn(person: ProviderClaims): Promise<ExternalSignIn | SignInRefusal>;
}

export function createProviderAccounts(database: Database, secretBox: SecretBox): ProviderAccounts {
  return {
    set: (client) => database.transaction((transaction) => setClient(transaction, secretBox, client)),
    remove: () =>
      database.transaction(async (transaction) => {
        await lockAccounts(transaction);
        await endSessions(transaction, '');
        return removeSetting(transaction, settingName);
      }),
    signIn: (person) => database.transaction((transaction) => signInExternally(transaction, person)),
  };
}

async function setClient(
  transaction: Database,
  secretBox: SecretBox,
  client: OidcClient,
): ReturnType<ProviderAccounts['set']> {
  await lockAccounts(transaction);
  const { roles, defaultRole } = client;
  const named = [...roles.map(({ role }) => role), ...(defaultRole === undefined ? [] : [defaultRole])];
  await assertRolesExist(transaction, named);
  const isFirst = (await readSignIn(transaction)) === undefined;
  if (isFirst && !named.includes(administrator)) {
    throw new GantryError(
      'CONFLICT',
      'The platform is open, and this switches sign-in on: map a group to the role administrator.',
    );
  }
  await writeOidcClient(transaction, secretBox, client);
  await endSessions(transaction, client.issuer);
  if (isFirst) await requireSignIn(transaction, undefined);
  const { clientSecret: _secret, ...settings } = client;
  return { settings, isFirst };
}

/** Ends what was opened by other providers. */
async function endSessions(transaction: Database, issuer: string): Promise<void> {
  await transaction.query(
    `DELETE FROM gantry_session WHERE user_id IN (SELECT user_id FROM gantry_external_identity)
       AND user_id NOT IN (SELECT user_id FROM gantry_external_identity WHERE issuer = $1)`,
    [issuer],
  );
}
