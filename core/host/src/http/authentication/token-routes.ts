import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import { createApiToken, defaultTokenDays, lineOfText, revokeApiToken, roleName, type Identity } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';

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
      const author = assertManagesUsers(identity, request);
      const body = await readJson(request, response);
      const token = await identity.change(author, async (change) => {
        const owner = await change.users.get(request.params.id);
        assertMayGive(change.rights, owner.roles);
        if (owner.kind !== 'service') {
          throw new GantryError('CONFLICT', 'People create their API tokens themselves, on the page of their account.');
        }
        return createApiToken(change, owner, parseBody(tokenBody, body));
      });
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
      const author = assertManagesUsers(identity, request);
      await readJson(request, response);
      await identity.change(author, async (change) => {
        const { userId } = await revokeApiToken(change, request.params.id);
        assertMayGive(change.rights, (await change.users.get(userId)).roles);
      });
      response.status(204).end();
    },
  };
}
