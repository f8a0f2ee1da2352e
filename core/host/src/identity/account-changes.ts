import type { Database } from '@gantry/plugin-api';

/** One change of users and roles at a time: whether an administrator remains, or a role is in use, depends on all of them. */
export async function lockAccounts(transaction: Database): Promise<void> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtext('gantry_user'))");
}

/** By it, every process notices that roles have changed; see {@link rolesVersion}. */
export async function bumpVersion(transaction: Database): Promise<void> {
  await transaction.query(
    `INSERT INTO gantry_setting (name, value) VALUES ('roles', '1'::jsonb)
     ON CONFLICT (name) DO UPDATE SET value = to_jsonb((gantry_setting.value)::text::bigint + 1)`,
  );
}

/** SQL expression: the version of the roles, as text. */
export const rolesVersion = `coalesce((SELECT value::text FROM gantry_setting WHERE name = 'roles'), '0')`;
