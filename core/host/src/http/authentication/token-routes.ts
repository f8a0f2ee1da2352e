import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { defaultTokenDays, lineOfText, roleName, type Identity } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';
import { recordAction } from './record-action';

export interface TokenRouteDependencies {
  readonly identity: Identity;
  readonly readJson: ReadJson;
}

interface IdParams {
  readonly id: string;
}

/** Name, lifetime and roles of an API token to be made. */
export const tokenBody = z.strictObject({
  name: lineOfText('name', 100),
  expiresInDays: z.int().min(1).max(3_650).default(defaultTokenDays),
  roles: z.array(roleName).min(1).max(50).exactOptional(),
});

/** API tokens of service accounts and of all users, and the audit log; for administrators. */
export function tokenRoutes(dependencies: TokenRouteDependencies): Routes {
  return (app) => {
    addPath(app, '/api/platform/users/:id/tokens', serviceTokensPath(dependencies));
    addPath(app, '/api/platform/tokens', tokensPath(dependencies));
    addPath(app, '/api/platform/tokens/:id', tokenPath(dependencies));
  };
}

function serviceTokensPath({ identity, readJson }: TokenRouteDependencies): PathHandlers<IdParams> {
  return {
    async post(request, response) {
      parseQuery(request, []);
      assertManagesUsers(identity, request);
      const { id, kind, roles } = await identity.users.get(request.params.id);
      assertMayGive(request, roles);
      if (kind !== 'service') {
        throw new GantryError('CONFLICT', 'People create their API tokens themselves, on the page of their account.');
      }
      const token = await identity.apiTokens.create(id, parseBody(tokenBody, await readJson(request, response)));
      await recordAction(identity, request, { action: 'token-created', subject: `token:${token.id}` });
      sendData(response, 201, JSON.stringify(token));
    },
  };
}

function tokensPath({ identity }: TokenRouteDependencies): PathHandlers<object> {
  return {
    async get(request, response) {
      parseQuery(request, []);
      assertPermission(request, 'users.manage');
      sendData(response, 200, JSON.stringify(await identity.apiTokens.list()));
    },
  };
}

function tokenPath({ identity, readJson }: TokenRouteDependencies): PathHandlers<IdParams> {
  return {
    async delete(request, response) {
      parseQuery(request, []);
      assertManagesUsers(identity, request);
      await readJson(request, response);
      const { id } = await identity.apiTokens.revoke(request.params.id);
      identity.authenticator.forget();
      await recordAction(identity, request, { action: 'token-revoked', subject: `token:${id}` });
      response.status(204).end();
    },
  };
}
