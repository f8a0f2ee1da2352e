import { z } from 'zod';

export const permissionName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9-]*\.[a-z][a-zA-Z0-9.-]*$/, 'must be the name of a permission such as ops.control');

/** Something other than items that a role can allow. */
export const permission = z
  .object({
    name: permissionName,
    displayName: z.string(),
    roles: z.array(z.string()).exactOptional().describe('Built-in roles that have the permission.'),
  })
  .meta({ id: 'Permission', description: 'A permission that a role can have in addition to rights on items.' });
