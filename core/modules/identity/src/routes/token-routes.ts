import { GantryError, invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import { apiToken, createdToken, newTokenInput, type NewApiToken } from '../accounts/account-schemas';
import { createApiToken, revokeApiToken } from '../tokens/change-api-tokens';
import type { AccountChange } from '../accounts/change-accounts';
import type { Identity } from '../create-identity';
import { type Principal, routesWith, type HostRoute } from '@gantry/core-http';
import { assertMayGive, changesAccounts, managesUsers } from './assert-manages-users';

export interface TokenServices {
  readonly identity: Identity;
}

const route = routesWith<TokenServices>();
const params = z.object({ id: z.string().describe('Id of the API token.') }).transform(({ id }) => id);
const millisecondsOfDay = 86_400_000;

/** API tokens of service accounts and of all users, for administrators. */
export const tokenRoutes: readonly HostRoute<TokenServices>[] = [
  route({
    method: 'POST',
    path: '/api/platform/users/:id/tokens',
    operationId: 'createServiceToken',
    summary: 'Create an API token of a service account',
    description:
      'The response contains the token, which is not shown again. A token that is created with an API token expires no later than that token.',
    access: managesUsers,
    demand: changesAccounts,
    presence: true,
    params,
    body: newTokenInput,
    answer: createdToken,
    status: 201,
    async handler({ params: id, body: wanted, author }, { identity }) {
      const data = await identity.change(author, async (change) => {
        const owner = await change.users.get(id);
        assertMayGive(change.rights, owner.roles);
        if (owner.kind !== 'service') {
          throw new GantryError('CONFLICT', 'People create their API tokens themselves, on the page of their account.');
        }
        await assertNotMoreThan(change, author.principal, wanted);
        return createApiToken(change, owner, wanted);
      });
      return { data };
    },
  }),
  route({
    method: 'GET',
    path: '/api/platform/tokens',
    operationId: 'listTokens',
    summary: 'List the API tokens of all users',
    description: 'The tokens themselves are not included: each is shown once, when it is created.',
    access: managesUsers,
    answer: z.array(apiToken),
    handler: async (_call, { identity }) => ({ data: await identity.apiTokens.list() }),
  }),
  route({
    method: 'DELETE',
    path: '/api/platform/tokens/:id',
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    description: 'The next request with the token is a 401. This cannot be undone.',
    access: managesUsers,
    demand: changesAccounts,
    params,
    async handler({ params: id, author }, { identity }) {
      await identity.change(author, async (change) => {
        const { userId } = await revokeApiToken(change, id);
        assertMayGive(change.rights, (await change.users.get(userId)).roles);
      });
      return {};
    },
  }),
];

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
