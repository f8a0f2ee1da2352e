import { itemActions, type Permission, type Role } from '@gantry/contracts';
import { administrator } from '../accounts/user-input';

/** Those of this module; others declare their own. */
export const identityPermissions: readonly Permission[] = [
  { name: 'users.manage', displayName: 'See and change users, roles and API tokens' },
  { name: 'audit.read', displayName: 'Read the audit log' },
];

/** The roles that exist on every platform. What plugins declare for them is added to their permissions. */
export const builtInRoles: readonly Role[] = [
  builtIn(administrator, 'Administrator', 'May do everything, including rights that are added later.'),
  builtIn('editor', 'Editor', 'Reads and changes the content of all plugins.', [
    { on: 'content', actions: itemActions },
  ]),
  builtIn('reader', 'Reader', 'Reads the content of all plugins.', [{ on: 'content', actions: ['read'] }]),
  builtIn('operator', 'Operator', 'Operates services: reads the records that they keep.', [
    { on: 'records', actions: ['read', 'export'] },
  ]),
];

function builtIn(name: string, displayName: string, description: string, grants: Role['grants'] = []): Role {
  return { name, displayName, description, grants, permissions: [], isBuiltIn: true };
}
