import type { Role } from '@gantry/contracts';
import { z } from 'zod';
import type { ItemTypes } from '@gantry/core-content';
import { distinctRoles, rolesFile } from '../roles/roles-file';
import { importRoles } from '../roles/import-roles';
import { newRoleOf, roleInput } from '../roles/role-input';
import { permission } from '@gantry/core-http/ports';
import { role } from '../roles/role-schemas';
import type { Identity } from '../create-identity';
import { type Principal, routesWith, type HostRoute } from '@gantry/core-http';
import { changesRoles, managesUsers } from './assert-manages-users';
import { assertOperators } from './assert-operators';
import type { ShowGrants } from './grants-shown-to';

export interface RoleServices {
  readonly identity: Identity;
  /** The grants of roles as somebody may see them. */
  readonly grantsShownTo: (principal: Principal) => ShowGrants;
  /** All types, whose operators conditions can have. */
  readonly types: ItemTypes;
}

const route = routesWith<RoleServices>();
const path = '/api/platform/roles/:name';
const params = z.object({ name: z.string().describe('Name of the role.') }).transform(({ name }) => name);

/** Roles: read by those who give them to users, changed by administrators. */
export const roleRoutes: readonly HostRoute<RoleServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/roles',
    operationId: 'listRoles',
    summary: 'List all roles, built-in ones first',
    description: 'Includes only grants that the caller may see.',
    access: managesUsers,
    answer: z.array(role),
    async handler({ author }, { identity, grantsShownTo }) {
      const shown = grantsShownTo(author.principal);
      return { data: (await identity.roles.list()).map((one) => shownRole(one, shown)) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/platform/roles',
    operationId: 'createRole',
    summary: 'Create a role',
    description:
      'Problems of its grants are a 400 with the path of each; an existing name is a 409. The role `public` ' +
      'can only read.',
    access: managesUsers,
    demand: changesRoles,
    presence: true,
    audit: 'role-created',
    body: roleInput,
    answer: role,
    status: 201,
    async handler({ body, author, audit }, { identity, types }) {
      const wanted = newRoleOf(body);
      assertOperators([wanted], types);
      const data = await identity.change(author, async ({ roles, record }) => {
        const created = await roles.create(wanted);
        await audit({ subject: `role:${created.name}`, detail: { role: created } }, record);
        return created;
      });
      return { data };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/platform/roles',
    operationId: 'importRoles',
    summary: 'Create or replace the roles of an exported file, all of them or none',
    description: 'Roles that the file does not name stay as they are. Problems are a 400 with the index of the role.',
    access: managesUsers,
    demand: changesRoles,
    presence: true,
    body: rolesFile,
    answer: z.array(role),
    async handler({ body, author }, { identity, types }) {
      const wanted = distinctRoles(body);
      assertOperators(wanted, types, (index) => `roles[${index}].`);
      return { data: await identity.change(author, (change) => importRoles(change, wanted)) };
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'readRole',
    summary: 'Show a role',
    description: 'Includes only grants that the caller may see.',
    access: managesUsers,
    params,
    answer: role,
    async handler({ params: name, author }, { identity, grantsShownTo }) {
      return { data: shownRole(await identity.roles.get(name), grantsShownTo(author.principal)) };
    },
  }),
  route({
    method: 'PUT',
    path,
    operationId: 'replaceRole',
    summary: 'Replace what a role allows',
    description: 'All grants and permissions are replaced. A built-in role cannot be changed: 409.',
    access: managesUsers,
    demand: changesRoles,
    presence: true,
    audit: 'role-changed',
    params,
    body: roleInput.partial({ name: true }),
    answer: role,
    async handler({ params: name, body, author, audit }, { identity, types }) {
      const wanted = newRoleOf({ ...body, name });
      assertOperators([wanted], types);
      const data = await identity.change(author, async ({ roles, record }) => {
        const replaced = await roles.replace(wanted);
        await audit({ subject: `role:${name}`, detail: { role: replaced } }, record);
        return replaced;
      });
      return { data };
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteRole',
    summary: 'Delete a role that no user has',
    description: '409 while a user has it, and for built-in roles.',
    access: managesUsers,
    demand: changesRoles,
    audit: 'role-deleted',
    params,
    async handler({ params: name, author, audit }, { identity }) {
      await identity.change(author, async ({ roles, record }) => {
        const removed = await roles.remove(name);
        await audit({ subject: `role:${removed.name}`, detail: { role: removed } }, record);
      });
      return {};
    },
  }),
  route({
    method: 'GET',
    path: '/api/platform/permissions',
    operationId: 'listPermissions',
    summary: 'List the permissions that roles can have in addition to rights on items',
    description: 'Each permission is required by at least one route, and names the built-in roles that have it.',
    access: managesUsers,
    answer: z.array(permission).describe('The permissions of the platform and of its plugins.'),
    handler: async (_call, { identity }) => ({ data: identity.roles.permissions() }),
  }),
];

function shownRole(stored: Role, shown: ShowGrants) {
  return { ...stored, grants: shown(stored.grants) };
}
