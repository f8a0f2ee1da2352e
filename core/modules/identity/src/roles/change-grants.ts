import type { Grant } from '@gantry/contracts';
import type { ClientBase } from 'pg';
import { raiseSetting } from '@gantry/core-database';

/** One change of users and roles at a time, until the end of the transaction. */
export const lockAccountsStatement = "SELECT pg_advisory_xact_lock(hashtext('gantry_user'))";

/**
 * Changes the grants of all roles in the transaction of the client. The time of their last change stays: it says which grants are
 * older than the return of a field.
 * @param change returns the grants that a role has from then on
 */
export async function changeGrants(
  client: ClientBase,
  change: (grants: readonly Grant[], role: string) => readonly Grant[],
): Promise<void> {
  await client.query(lockAccountsStatement);
  const { rows } = await client.query<{ name: string; grants: readonly Grant[] }>(
    'SELECT name, grants FROM public.gantry_role ORDER BY name FOR UPDATE',
  );
  let isChanged = false;
  for (const { name, grants } of rows) {
    const changed = JSON.stringify(change(grants, name));
    if (changed === JSON.stringify(grants)) continue;
    isChanged = true;
    await client.query('UPDATE public.gantry_role SET grants = $2::jsonb WHERE name = $1', [name, changed]);
  }
  if (isChanged) await client.query(raiseSetting('roles'));
}
