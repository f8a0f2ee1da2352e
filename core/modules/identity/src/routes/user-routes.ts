import { GantryError, type Database } from '@gantry/plugin-api';
import { z } from 'zod';
import { flag, instant } from '@gantry/core-common';
import { changeUser } from '../accounts/change-users';
import { createdUser, user } from '../accounts/account-schemas';
import { newUserInput, userChangeInput } from '../accounts/user-input';
import type { Identity } from '../create-identity';
import { endAccess, endedAccess, readRemaining, remainingAccess } from '../accounts/remaining-access';
import { routesWith, type HostRoute } from '@gantry/core-http';
import { assertMayGive, changesAccounts, managesUsers } from './assert-manages-users';

export interface UserServices {
  readonly identity: Identity;
  readonly database: Pick<Database, 'query'>;
  /** Address of the page that takes a one-time link; the secret follows it. */
  readonly linkAddress: string;
}

const route = routesWith<UserServices>();
const path = '/api/platform/users/:id';
const params = z.object({ id: z.string().describe('Id.') }).transform(({ id }) => id);

/** Accounts, for administrators. */
export const userRoutes: readonly HostRoute<UserServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/users',
    operationId: 'listUsers',
    summary: 'List all users',
    description: 'Includes people and service accounts, also disabled ones.',
    access: managesUsers,
    answer: z.array(user),
    handler: async (_call, { identity }) => ({ data: await identity.users.list() }),
  }),
  route({
    method: 'POST',
    path: '/api/platform/users',
    operationId: 'createUser',
    summary: 'Create a person or a service account',
    description:
      'A person gets a one-time link, which the response shows once and which works for 15 minutes; a service account gets ' +
      'API tokens. A caller who is not an administrator can give only its own roles: 403 for others. An existing login is a ' +
      '409.',
    access: managesUsers,
    demand: changesAccounts,
    presence: true,
    audit: 'user-created',
    body: newUserInput,
    answer: createdUser,
    status: 201,
    async handler({ body: wanted, author, audit }, { identity, linkAddress }) {
      const data = await identity.change(author, async ({ users, rights, record }) => {
        assertMayGive(rights, wanted.roles);
        const created = await users.create(wanted);
        const { id, login, roles, kind } = created;
        await audit({ subject: `user:${id}`, detail: { login, roles } }, record);
        if (kind !== 'person') return created;
        const link = await users.createLink(id);
        return { ...created, link: linkAddress + link.secret, linkExpiresAt: link.expiresAt };
      });
      return { data };
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'readUser',
    summary: 'Show a user',
    description: '404 if no user has the id.',
    access: managesUsers,
    params,
    answer: user,
    handler: async ({ params: id }, { identity }) => ({ data: await identity.users.get(id) }),
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'updateUser',
    summary: 'Change a user; `isEnabled: false` ends its sessions and API tokens',
    description:
      'Members that are not sent stay as they are. A caller who is not an administrator needs the roles that the user has and gets: ' +
      '403. The last administrator who can sign in keeps the role: 409.',
    access: managesUsers,
    demand: changesAccounts,
    presence: true,
    params,
    body: userChangeInput,
    answer: user,
    async handler({ params: id, body: wanted, author }, { identity }) {
      const data = await identity.change(author, async (change) => {
        const { roles } = await change.users.get(id);
        assertMayGive(change.rights, [...roles, ...(wanted.roles ?? [])]);
        return changeUser(change, id, wanted);
      });
      return { data };
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteUser',
    summary: 'Delete a user with its sessions and API tokens',
    description:
      'Users, roles and API tokens that the user has created stay: see `/api/platform/users/{id}/remaining`.',
    access: managesUsers,
    demand: changesAccounts,
    audit: 'user-deleted',
    params,
    query: z.object({ deleteWebhooks: flag.describe('`true` deletes the webhooks that the user has created.') }),
    async handler({ params: id, query, author, audit }, { identity }) {
      await identity.change(author, async (change) => {
        const { users, rights, record } = change;
        const found = await users.get(id);
        assertMayGive(rights, found.roles);
        await endAccess(change, found, query);
        const { login } = await users.remove(id);
        await audit({ subject: `user:${id}`, detail: { login } }, record);
      });
      return {};
    },
  }),
  route({
    method: 'GET',
    path: `${path}/remaining`,
    operationId: 'readRemainingAccess',
    summary: 'List the access that remains after the password of a user is reset or the user is deleted',
    description:
      'API tokens and webhooks outlast the password: `DELETE /api/platform/users/{id}` and a one-time link can end ' +
      'them.',
    access: managesUsers,
    params,
    answer: remainingAccess,
    async handler({ params: asked }, { identity, database }) {
      const { id } = await identity.users.get(asked);
      return { data: await readRemaining(database, identity, id) };
    },
  }),
  route({
    method: 'POST',
    path: `${path}/one-time-link`,
    operationId: 'createPasswordLink',
    summary: 'Create a one-time link with which the person sets another password; the current one works until then',
    description: 'The link works for 15 minutes; an earlier link is no longer valid. 409 for the own account.',
    access: managesUsers,
    demand: changesAccounts,
    presence: true,
    audit: 'password-reset-requested',
    params,
    body: z.strictObject(endedAccess).prefault({}),
    answer: z.object({ link: z.string().describe('Shown once.'), linkExpiresAt: instant, remaining: remainingAccess }),
    status: 201,
    async handler({ params: id, body: ended, author, audit }, { identity, linkAddress }) {
      if (author.principal.id === id) {
        throw new GantryError('CONFLICT', 'This is your own account. Change the password on the page of your account.');
      }
      const data = await identity.change(author, async (change) => {
        const found = await change.users.get(id);
        assertMayGive(change.rights, found.roles);
        const { secret, expiresAt } = await change.users.createLink(id);
        await audit({ subject: `user:${id}` }, change.record);
        const remaining = await endAccess(change, found, ended);
        return { link: linkAddress + secret, linkExpiresAt: expiresAt, remaining };
      });
      return { data };
    },
  }),
];
