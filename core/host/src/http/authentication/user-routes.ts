import { newUserInput, userChangeInput, type Identity, type User } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';

export interface UserRouteDependencies {
  readonly identity: Identity;
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
    addPath(app, '/api/platform/users', usersPath(dependencies));
    addPath(app, '/api/platform/users/:id', userPath(dependencies));
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
      const user = await identity.change(author, async ({ users, rights, record }) => {
        const { roles } = await users.get(id);
        assertMayGive(rights, [...roles, ...(change.roles ?? [])]);
        const changed = await users.update(id, change);
        await record({ action: 'user-changed', subject: `user:${id}`, detail: { ...change } });
        return changed;
      });
      sendData(response, 200, JSON.stringify(user));
    },
    async delete(request, response) {
      parseQuery(request, []);
      const author = assertManagesUsers(identity, request);
      await readJson(request, response);
      const { id } = request.params;
      await identity.change(author, async ({ users, rights, record }) => {
        assertMayGive(rights, (await users.get(id)).roles);
        const { login } = await users.remove(id);
        await record({ action: 'user-deleted', subject: `user:${id}`, detail: { login } });
      });
      response.status(204).end();
    },
  };
}
