import type { Database } from '@gantry/plugin-api';
import { raiseSetting, settingValue } from '@gantry/core-database';
import { lockAccountsStatement } from '../roles/change-grants';
import { administrator } from './user-input';

/** One change of users and roles at a time: whether an administrator remains, or a role is in use, depends on all of them. */
export async function lockAccounts(transaction: Database): Promise<void> {
  await transaction.query(lockAccountsStatement);
}

/** SQL condition on `gantry_user u`: the person signs in by the provider that is configured now. */
export const isOfProviderSql = `EXISTS (SELECT FROM gantry_external_identity e
  WHERE e.issuer = ${settingValue('oidc')} ->> 'issuer' AND e.user_id = u.id)`;

/** Whether the person signs in by the provider that is configured now. */
export async function isOfProvider(transaction: Database, id: string): Promise<boolean> {
  const found = await transaction.query(`SELECT FROM gantry_user u WHERE id = $1 AND ${isOfProviderSql}`, [id]);
  return found.length > 0;
}

/** The enabled administrators. A person who has only been invited, or whose provider was removed, cannot sign in. */
export async function readAdministrators(
  transaction: Database,
): Promise<readonly { readonly id: string; readonly canSignIn: boolean }[]> {
  return transaction.query(
    `SELECT id::text, password_hash IS NOT NULL OR ${isOfProviderSql} AS "canSignIn"
     FROM gantry_user u WHERE kind = 'person' AND is_enabled AND $1 = ANY (roles)`,
    [administrator],
  );
}

/** By it, every process notices that roles have changed; see {@link rolesVersion}. */
export async function bumpVersion(transaction: Database): Promise<void> {
  await transaction.query(raiseSetting('roles'));
}

/** SQL expression: the version of the roles, as text. */
export const rolesVersion = `coalesce(${settingValue('roles')}::text, '0')`;
