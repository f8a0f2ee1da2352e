import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { createApiToken, newTokenInput, revokeApiToken, type Identity, type PasskeySite } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { createAttemptLimit, type AttemptLimit } from './attempt-limit';
import { ownerOf, personOf, provingPassword, type AccountOwner } from './own-account';
import { passkeyRegistrationPath, passkeyPath, passkeysPath } from './passkey-routes';
import { presencePath } from './presence-route';
import { authorOf } from '../exchange/record-action';

export interface AccountRouteDependencies {
  readonly identity: Identity;
  readonly readJson: ReadJson;
  /** Undefined where passkeys are not offered. */
  readonly passkeySite: PasskeySite | undefined;
}

interface IdParams {
  readonly id: string;
}

/** What people do with their own account. */
export function accountRoutes(dependencies: AccountRouteDependencies): Routes {
  // A session that somebody else has taken over must not be enough to guess the password.
  const attempts = createAttemptLimit(10, 15 * 60_000);
  return (app) => {
    addPath(app, '/api/platform/account/passkeys', passkeysPath(dependencies, attempts), ['post']);
    addPath(app, '/api/platform/account/passkeys/:id', passkeyPath(dependencies, attempts));
    addPath(app, '/api/platform/account/passkey-registration', passkeyRegistrationPath(dependencies, attempts));
    addPath(app, '/api/platform/account/password', passwordPath(dependencies, attempts));
    addPath(app, '/api/platform/account/presence', presencePath(dependencies, attempts));
    addPath(app, '/api/platform/account/sessions', sessionsPath(dependencies));
    addPath(app, '/api/platform/account/sessions/:id', sessionPath(dependencies));
    addPath(app, '/api/platform/account/totp', totpPath(dependencies, attempts), ['put']);
    addPath(app, '/api/platform/account/tokens', tokensPath(dependencies), ['post']);
    addPath(app, '/api/platform/account/tokens/:id', tokenPath(dependencies));
  };
}

const passwordBody = z.strictObject({ currentPassword: z.string().max(1_024), newPassword: z.string().max(1_024) });

function passwordPath({ identity, readJson }: AccountRouteDependencies, attempts: AttemptLimit): PathHandlers<object> {
  return {
    async get(request, response) {
      const { hasPassword, identityProvider } = await identity.users.get(personOf(identity, request).id);
      sendData(response, 200, JSON.stringify({ hasPassword, identityProvider }));
    },
    async put(request, response) {
      const { id, sessionId, author } = ownerOf(identity, request);
      const { currentPassword, newPassword } = parseBody(passwordBody, await readJson(request, response));
      const wanted = { userId: id, sessionId, current: currentPassword, next: newPassword };
      const prepared = await provingPassword({ identity, request, attempts, sessionId }, () =>
        identity.signIn.prepareChange(wanted),
      );
      await identity.change(author, async ({ signIn, record }) => {
        await signIn.changePassword(prepared);
        await record({ action: 'password-changed', subject: `user:${id}` });
      });
      response.status(204).end();
    },
  };
}

const totpBody = z.strictObject({ currentPassword: z.string().max(1_024) });
const confirmBody = z.strictObject({ code: z.string().min(1).max(50) });

/** POST begins the setup of an authenticator app, PUT confirms it, DELETE removes it. */
function totpPath({ identity, readJson }: AccountRouteDependencies, attempts: AttemptLimit): PathHandlers<object> {
  const withPassword = async (request: IncomingMessage, owner: AccountOwner, body: unknown): Promise<void> => {
    const { id, sessionId } = owner;
    const { currentPassword } = parseBody(totpBody, body);
    await provingPassword({ identity, request, attempts, sessionId }, () =>
      identity.signIn.assertPassword(id, currentPassword),
    );
  };
  return {
    async get(request, response) {
      const { id } = personOf(identity, request);
      sendData(response, 200, JSON.stringify({ isEnabled: await identity.totp.isRequired(id) }));
    },
    async post(request, response) {
      const owner = ownerOf(identity, request);
      await withPassword(request, owner, await readJson(request, response));
      const setup = await identity.change(owner.author, async ({ totp, users }) => {
        const { login } = await users.get(owner.id);
        return totp.begin(owner.id, login);
      });
      sendData(response, 200, JSON.stringify(setup));
    },
    async put(request, response) {
      const { id, sessionId, author } = ownerOf(identity, request);
      const { code } = parseBody(confirmBody, await readJson(request, response));
      await attempts.begin(sessionId);
      const recoveryCodes = await identity.change(author, async ({ totp, sessions, record }) => {
        const codes = await totp.confirm(id, code);
        await sessions.removeOthers(id, sessionId);
        await record({ action: 'second-factor-added', subject: `user:${id}` });
        return codes;
      });
      await attempts.succeed(sessionId);
      sendData(response, 200, JSON.stringify({ recoveryCodes }));
    },
    async delete(request, response) {
      const owner = ownerOf(identity, request);
      await withPassword(request, owner, await readJson(request, response));
      await identity.change(owner.author, async ({ totp, record }) => {
        await totp.remove(owner.id);
        await record({ action: 'second-factor-removed', subject: `user:${owner.id}` });
      });
      response.status(204).end();
    },
  };
}

function sessionsPath({ identity }: AccountRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      const { id, sessionId } = personOf(identity, request);
      sendData(response, 200, JSON.stringify(await identity.sessions.list(id, sessionId)));
    },
  };
}

function sessionPath({ identity, readJson }: AccountRouteDependencies): PathHandlers<IdParams> {
  return {
    async delete(request, response) {
      const { id } = personOf(identity, request);
      await readJson(request, response);
      await identity.change(authorOf(request), async ({ sessions, record }) => {
        if (!(await sessions.remove(id, request.params.id))) {
          throw new GantryError('NOT_FOUND', 'There is no such session.');
        }
        await record({ action: 'session-ended', subject: `user:${id}` });
      });
      response.status(204).end();
    },
  };
}

function tokensPath({ identity, readJson }: AccountRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      sendData(response, 200, JSON.stringify(await identity.apiTokens.list(personOf(identity, request).id)));
    },
    async post(request, response) {
      const { id, author } = ownerOf(identity, request);
      const wanted = parseBody(newTokenInput, await readJson(request, response));
      const token = await identity.change(author, async (change) =>
        createApiToken(change, await change.users.get(id), wanted),
      );
      sendData(response, 201, JSON.stringify(token));
    },
  };
}

function tokenPath({ identity, readJson }: AccountRouteDependencies): PathHandlers<IdParams> {
  return {
    async delete(request, response) {
      const { id, author } = ownerOf(identity, request);
      await readJson(request, response);
      await identity.change(author, (change) => revokeApiToken(change, request.params.id, id));
      response.status(204).end();
    },
  };
}
