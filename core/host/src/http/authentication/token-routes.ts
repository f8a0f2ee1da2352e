import { GantryError, invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import {
  createApiToken,
  defaultTokenDays,
  lineOfText,
  revokeApiToken,
  roleName,
  type AccountChange,
  type Identity,
  type NewApiToken,
  type Principal,
} from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import { parseQuery } from '../exchange/query';
import { addPath, type PathHandlers, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { assertPermission, principalOf } from '../exchange/principal';
import { assertManagesUsers, assertMayGive } from './assert-manages-users';

export interface TokenRouteDependencies {
  readonly identity: Identity;
  readonly readJson: ReadJson;
}

const millisecondsOfDay = 86_400_000;

interface IdParams {
  readonly id: string;
}

/** Name, lifetime and roles of an API token to be made. */
export const tokenBody = z.strictObject({
  name: lineOfText('name', 100),
  expiresInDays: z.int().min(1).max(3_650).default(defaultTokenDays),
  roles: z.array(roleName).min(1).max(50).exactOptional(),
  managesAccounts: z.boolean().exactOptional(),
});

/** API tokens of service accounts and of all users, and the audit log; for administrators. */
export function tokenRoutes(dependencies: TokenRouteDependencies): Routes {
  return (app) => {
    addPath(app, '/api/platform/users/:id/tokens', serviceTokensPath(dependencies), ['post']);
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
        const wanted = parseBody(tokenBody, body);
        await assertNotMoreThan(change, principalOf(request), wanted);
        return createApiToken(change, owner, wanted);
      });
      sendData(response, 201, JSON.stringify(token));
    },
  };
}

/**
 * An API token makes no other one that lasts longer than itself, or that may make further ones.
 * @throws GantryError VALIDATION_FAILED
 */
async function assertNotMoreThan(
  { apiTokens }: Pick<AccountChange, 'apiTokens'>,
  { id, tokenId }: Principal,
  wanted: NewApiToken,
): Promise<void> {
  const own = tokenId === undefined ? undefined : (await apiTokens.list(id)).find((token) => token.id === tokenId);
  if (own === undefined) return;
  if (wanted.managesAccounts) throw invalidValue('managesAccounts', 'managesAccounts cannot be given by an API token');
  const daysLeft = Math.floor((Date.parse(own.expiresAt) - Date.now()) / millisecondsOfDay);
  if (wanted.expiresInDays <= daysLeft) return;
  const problem =
    daysLeft < 1
      ? 'expiresInDays has no possible value: the API token of this request expires within a day'
      : `expiresInDays must be at most ${daysLeft}: the API token of this request expires then`;
  throw invalidValue('expiresInDays', problem);
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
