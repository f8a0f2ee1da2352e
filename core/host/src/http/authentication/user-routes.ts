import { z } from 'zod';
import { administrator, type Identity, type NewUser, type User, type UserChange } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertAdministrator } from './assert-administrator';
import { assertSignInMode } from './assert-sign-in-mode';
import { lineOfText } from './line-of-text';
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

/** A user without a role would have no rights; the other roles do not exist yet. */
const roles = z
  .array(z.enum([administrator]))
  .min(1)
  .max(50);
const displayName = lineOfText('displayName', 200);
const newUser = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('person'), login: z.email().max(254), displayName: displayName.optional(), roles }),
  z.strictObject({
    kind: z.literal('service'),
    login: z.string().regex(/^[a-z][a-z0-9-]{1,99}$/, 'must be a name such as price-import: a-z, 0-9 and -'),
    displayName: displayName.optional(),
    roles,
  }),
]);
const userChange = z.strictObject({
  displayName: displayName.optional(),
  roles: roles.optional(),
  isEnabled: z.boolean().optional(),
});

function usersPath({ identity, readJson, linkAddress }: UserRouteDependencies): PathHandlers<object> {
  const { users } = identity;
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertAdministrator(request);
      sendData(response, 200, JSON.stringify(await users.list()));
    },
    async post(request, response) {
      parseQuery(request, []);
      assertAdministrator(request);
      assertSignInMode(identity);
      const { displayName: name, ...input } = parseBody(newUser, await readJson(request, response));
      const wanted: NewUser = { ...input, displayName: name ?? input.login };
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
      assertAdministrator(request);
      sendData(response, 200, JSON.stringify(await users.get(request.params.id)));
    },
    async patch(request, response) {
      parseQuery(request, []);
      assertAdministrator(request);
      const change = withoutUndefined(parseBody(userChange, await readJson(request, response)));
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
      assertAdministrator(request);
      await readJson(request, response);
      const { id, login } = await users.remove(request.params.id);
      authenticator.forget();
      await recordAction(identity, request, { action: 'user-deleted', subject: `user:${id}`, detail: { login } });
      response.status(204).end();
    },
  };
}

function withoutUndefined(change: {
  readonly [Key in keyof UserChange]: UserChange[Key] | undefined;
}): UserChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
