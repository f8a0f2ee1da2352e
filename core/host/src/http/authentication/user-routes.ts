import { GantryError, type Database } from '@gantry/plugin-api';
import { z } from 'zod';
import { parseFlag } from '../../content/query/parameters';
import { changeUser, newUserInput, userChangeInput, type Identity, type User } from '../../identity';
import { endAccess, readRemaining } from '../../subscriptions';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission, principalOf } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';

export interface UserRouteDependencies {
  readonly identity: Identity;
  readonly database: Pick<Database, 'query'>;
  readonly readJson: ReadJson;
  /** Address of the page that takes a one-time link; the secret follows it. */
  readonly linkAddress: string;
}

interface IdParams {
  readonly id: string;
}

/** Accounts, for administrators. */
export function userRoutes(dependencies: UserRouteDependencies): Routes {
  return (app) => {
    addPath(app, '/api/platform/users', usersPath(dependencies), ['post']);
    addPath(app, '/api/platform/users/:id', userPath(dependencies), ['patch']);
    addPath(app, '/api/platform/users/:id/remaining', remainingPath(dependencies));
    addPath(app, '/api/platform/users/:id/one-time-link', linkPath(dependencies), ['post']);
  };
}

function usersPath({ identity, readJson, linkAddress }: UserRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(await identity.users.list()));
    },
    async post(request, response) {
      parseQuery(request, []);
      const author = assertManagesUsers(identity, request);
      const wanted = parseBody(newUserInput, await readJson(request, response));
      const created = await identity.change(author, async ({ users, rights, record }): Promise<CreatedUser> => {
        assertMayGive(rights, wanted.roles);
        const user = await users.create(wanted);
        const detail = { login: user.login, roles: user.roles };
        await record({ action: 'user-created', subject: `user:${user.id}`, detail });
        if (user.kind !== 'person') return user;
        const link = await users.createLink(user.id);
        return { ...user, link: linkAddress + link.secret, linkExpiresAt: link.expiresAt };
      });
      sendData(response, 201, JSON.stringify(created));
    },
  };
}

interface CreatedUser extends User {
  /** With it, the person sets a password, once. Shown once. */
  readonly link?: string;
  readonly linkExpiresAt?: string;
}

function userPath({ identity, readJson }: UserRouteDependencies): PathHandlers<IdParams> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(await identity.users.get(request.params.id)));
    },
    async patch(request, response) {
      parseQuery(request, []);
      const author = assertManagesUsers(identity, request);
      const { id } = request.params;
      const change = parseBody(userChangeInput, await readJson(request, response));
      const user = await identity.change(author, async (accounts) => {
        const { roles } = await accounts.users.get(id);
        assertMayGive(accounts.rights, [...roles, ...(change.roles ?? [])]);
        return changeUser(accounts, id, change);
      });
      sendData(response, 200, JSON.stringify(user));
    },
    async delete(request, response) {
      const query = parseQuery(request, ['deleteWebhooks']);
      const deleteWebhooks = parseFlag('deleteWebhooks', query['deleteWebhooks']);
      const author = assertManagesUsers(identity, request);
      await readJson(request, response);
      const { id } = request.params;
      await identity.change(author, async (change) => {
        const { users, rights, record } = change;
        const user = await users.get(id);
        assertMayGive(rights, user.roles);
        await endAccess(change, user, { deleteWebhooks });
        const { login } = await users.remove(id);
        await record({ action: 'user-deleted', subject: `user:${id}`, detail: { login } });
      });
      response.status(204).end();
    },
  };
}

/** The access that remains without the user: read before the user is deleted or its password is reset. */
function remainingPath({ identity, database }: UserRouteDependencies): PathHandlers<IdParams> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      const { id } = await identity.users.get(request.params.id);
      sendData(response, 200, JSON.stringify(await readRemaining(database, identity.apiTokens, id)));
    },
  };
}

/** What is to end with the reset of a password: somebody else may have made it. */
export const endedAccess = {
  revokeTokens: z.boolean().optional(),
  deleteWebhooks: z.boolean().optional(),
};
const linkBody = z.strictObject(endedAccess);

/** POST makes the link with which a person sets another password; the present one works until it is used. */
function linkPath({ identity, readJson, linkAddress }: UserRouteDependencies): PathHandlers<IdParams> {
  return {
    async post(request, response) {
      parseQuery(request, []);
      const author = assertManagesUsers(identity, request);
      const ended = parseBody(linkBody, (await readJson(request, response)) ?? {});
      const { id } = request.params;
      if (principalOf(request).id === id) {
        throw new GantryError('CONFLICT', 'This is your own account. Change the password on the page of your account.');
      }
      const made = await identity.change(author, async (change) => {
        const user = await change.users.get(id);
        assertMayGive(change.rights, user.roles);
        const { secret, expiresAt } = await change.users.createLink(id);
        await change.record({ action: 'password-reset-requested', subject: `user:${id}` });
        const remaining = await endAccess(change, user, ended);
        return { link: linkAddress + secret, linkExpiresAt: expiresAt, remaining };
      });
      sendData(response, 201, JSON.stringify(made));
    },
  };
}
