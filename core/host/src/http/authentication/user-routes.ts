import { newUserInput, userChangeInput, type Identity, type User } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';
import { recordAction } from './record-action';

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
  const { users } = identity;
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(await users.list()));
    },
    async post(request, response) {
      parseQuery(request, []);
      assertManagesUsers(identity, request);
      const wanted = parseBody(newUserInput, await readJson(request, response));
      assertMayGive(request, wanted.roles);
      const user = await users.create(wanted);
      await recordAction(identity, request, {
        action: 'user-created',
        subject: `user:${user.id}`,
        detail: { login: user.login, roles: user.roles },
      });
      const link = user.kind === 'person' ? await users.createLink(user.id) : undefined;
      const created: CreatedUser =
        link === undefined ? user : { ...user, link: linkAddress + link.secret, linkExpiresAt: link.expiresAt };
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
  const { users, authenticator } = identity;
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(await users.get(request.params.id)));
    },
    async patch(request, response) {
      parseQuery(request, []);
      assertManagesUsers(identity, request);
      const change = parseBody(userChangeInput, await readJson(request, response));
      const { roles } = await users.get(request.params.id);
      assertMayGive(request, [...roles, ...(change.roles ?? [])]);
      const user = await users.update(request.params.id, change);
      authenticator.forget();
      await recordAction(identity, request, {
        action: 'user-changed',
        subject: `user:${user.id}`,
        detail: { ...change },
      });
      sendData(response, 200, JSON.stringify(user));
    },
    async delete(request, response) {
      parseQuery(request, []);
      assertManagesUsers(identity, request);
      await readJson(request, response);
      assertMayGive(request, (await users.get(request.params.id)).roles);
      const { id, login } = await users.remove(request.params.id);
      authenticator.forget();
      await recordAction(identity, request, { action: 'user-deleted', subject: `user:${id}`, detail: { login } });
      response.status(204).end();
    },
  };
}
