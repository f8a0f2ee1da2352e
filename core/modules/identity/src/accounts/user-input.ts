import { z } from 'zod';
import { lineOfText } from '@gantry/core-common';
import { publicRole } from '@gantry/core-http/ports';
import { roleName } from '../roles/role-name';

/** The role that may do everything. */
export const administrator = 'administrator';

/** A user without a role would have no rights. */
const roles = z
  .array(roleName)
  .min(1)
  .max(50)
  .transform((names) => [...new Set(names)]);
const displayName = lineOfText('displayName', 200).meta({ minLength: 1, maxLength: 200, pattern: String.raw`\S` });
const emailAddress = z.union([z.email(), z.string().regex(/^[\w.+-]+@localhost$/)], {
  error: 'must be an email address',
});

/** Names of actors that are no users in the audit log, the change feed and operations on workflows. */
const actors: ReadonlySet<string> = new Set([
  ...['local', 'system', 'anonymous', administrator, publicRole, 'command', 'identity-provider', 'plugin', 'user'],
]);

/** A person or a service account to be created, as the REST interface and the commands take it. */
export const newUserInput = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('person'),
      login: lineOfText('login', 254).pipe(emailAddress).describe('Email address.'),
      displayName: displayName.exactOptional(),
      roles,
    }),
    z.strictObject({
      kind: z.literal('service'),
      login: z
        .string()
        .regex(/^[a-z][a-z0-9-]{1,99}$/, 'must be a name such as price-import: a-z, 0-9 and -')
        .refine(
          (name) => !actors.has(name),
          'must not be the name of an actor of the platform, such as local or system',
        )
        .describe('Name of a service account, such as price-import.'),
      displayName: displayName.exactOptional(),
      roles,
    }),
  ])
  .meta({ id: 'NewUser', description: 'A person or a service account to be created.' });

export const userChangeInput = z.strictObject({
  displayName: displayName.exactOptional(),
  roles: roles.exactOptional(),
  isEnabled: z.boolean().exactOptional(),
});
