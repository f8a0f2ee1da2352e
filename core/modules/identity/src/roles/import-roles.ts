import type { Role } from '@gantry/contracts';
import type { RecordedChange } from '../accounts/change-accounts';
import type { NewRole } from './roles';

/** Creates or replaces all of the roles, or none, and notes it. */
export async function importRoles(
  { roles, record }: RecordedChange,
  wanted: readonly NewRole[],
): Promise<readonly Role[]> {
  const imported = await roles.import(wanted);
  await record({ action: 'roles-imported', subject: 'roles', detail: { roles: imported } });
  return imported;
}
