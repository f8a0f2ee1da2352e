import type { Role } from '@gantry/contracts';
import type { NewUser, User, UserChange } from '@gantry/host';
import type { ApiToken, EndedAccess, NewApiToken, NewRole, RemainingAccess } from '@gantry/host/open-identity';
import { callRoute } from '../../context/running-platform';
import type { CommandContext } from '../../context/command-context';
import { withRemedy } from '../../common/with-remedy';

/** A platform that `--url` names. Its API token has to be one for changes of users, roles and tokens. */
export interface RemotePlatform extends CommandContext {
  readonly url: string;
}

export function isRemote(context: CommandContext): context is RemotePlatform {
  return context.url !== undefined;
}

export interface CreatedUser {
  readonly user: User;
  readonly link?: string;
  readonly linkExpiresAt?: string;
}

export async function listUsersOverHttp(platform: RemotePlatform): Promise<readonly User[]> {
  return (await callRoute('GET', '/api/platform/users', {}, platform)).data;
}

export async function createUserOverHttp(platform: RemotePlatform, body: NewUser): Promise<CreatedUser> {
  const { data } = await callRoute('POST', '/api/platform/users', { body }, platform);
  const { link, linkExpiresAt, ...user } = data;
  return link === undefined || linkExpiresAt === undefined ? { user } : { user, link, linkExpiresAt };
}

export async function updateUserOverHttp(platform: RemotePlatform, login: string, body: UserChange): Promise<User> {
  const { id } = await findUserOverHttp(platform, login);
  return (await callRoute('PATCH', '/api/platform/users/{id}', { path: { id }, body }, platform)).data;
}

export async function resetUserOverHttp(platform: RemotePlatform, login: string, body: EndedAccess) {
  const user = await findUserOverHttp(platform, login);
  const wanted = { path: { id: user.id }, body };
  return { user, ...(await callRoute('POST', '/api/platform/users/{id}/one-time-link', wanted, platform)).data };
}

export async function deleteUserOverHttp(
  platform: RemotePlatform,
  login: string,
  query: { readonly deleteWebhooks: boolean },
): Promise<{ readonly user: User; readonly remaining: RemainingAccess }> {
  const user = await findUserOverHttp(platform, login);
  const path = { id: user.id };
  const { data: remaining } = await callRoute('GET', '/api/platform/users/{id}/remaining', { path }, platform);
  await callRoute('DELETE', '/api/platform/users/{id}', { path, query }, platform);
  return { user, remaining: query.deleteWebhooks ? { ...remaining, webhooks: [] } : remaining };
}

export async function listTokensOverHttp(platform: RemotePlatform): Promise<readonly ApiToken[]> {
  return (await callRoute('GET', '/api/platform/tokens', {}, platform)).data;
}

/** @returns the token with its text, which is shown once */
export async function createTokenOverHttp(platform: RemotePlatform, login: string, body: NewApiToken) {
  const { id } = await findUserOverHttp(platform, login);
  return (await callRoute('POST', '/api/platform/users/{id}/tokens', { path: { id }, body }, platform)).data;
}

export async function revokeTokenOverHttp(platform: RemotePlatform, id: string): Promise<ApiToken> {
  const token = (await listTokensOverHttp(platform)).find((one) => one.id === id);
  if (token === undefined) {
    throw withRemedy(`There is no API token ${id}.`, `List the tokens with: gantry tokens list --url ${platform.url}`);
  }
  await callRoute('DELETE', '/api/platform/tokens/{id}', { path: { id } }, platform);
  return token;
}

export async function listRolesOverHttp(platform: RemotePlatform): Promise<readonly Role[]> {
  return (await callRoute('GET', '/api/platform/roles', {}, platform)).data;
}

/** @param roles of a file of `gantry roles export` */
export async function importRolesOverHttp(
  platform: RemotePlatform,
  roles: readonly NewRole[],
): Promise<readonly Role[]> {
  return (await callRoute('PATCH', '/api/platform/roles', { body: { formatVersion: 1, roles } }, platform)).data;
}

async function findUserOverHttp(platform: RemotePlatform, login: string): Promise<User> {
  const user = (await listUsersOverHttp(platform)).find((one) => one.login === login.trim().toLowerCase());
  if (user !== undefined) return user;
  throw withRemedy(`There is no user ${login}.`, `List the users with: gantry users list --url ${platform.url}`);
}
