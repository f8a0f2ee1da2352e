import type { Role } from '@gantry/contracts';
import type { User } from '@gantry/host';
import type { ApiToken, EndedAccess, RemainingAccess } from '@gantry/host/open-identity';
import type { CommandContext } from '../context/command-context';
import { callPlatform } from '../context/running-platform';
import { withRemedy } from '../common/with-remedy';

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
  return (await callPlatform(platform, platform.url, '/api/platform/users')) as readonly User[];
}

export async function createUserOverHttp(platform: RemotePlatform, user: object): Promise<CreatedUser> {
  const created = await callPlatform(platform, platform.url, '/api/platform/users', user);
  const { link, linkExpiresAt, ...shown } = created as User & Omit<CreatedUser, 'user'>;
  return link === undefined || linkExpiresAt === undefined ? { user: shown } : { user: shown, link, linkExpiresAt };
}

export async function updateUserOverHttp(platform: RemotePlatform, login: string, change: object): Promise<User> {
  const { id } = await findUserOverHttp(platform, login);
  return (await callPlatform(platform, platform.url, `/api/platform/users/${id}`, change, 'PATCH')) as User;
}

export async function resetUserOverHttp(
  platform: RemotePlatform,
  login: string,
  ended: EndedAccess,
): Promise<Pick<CreatedUser, 'user' | 'link' | 'linkExpiresAt'> & { readonly remaining: RemainingAccess }> {
  const user = await findUserOverHttp(platform, login);
  const made = await callPlatform(platform, platform.url, `/api/platform/users/${user.id}/one-time-link`, ended);
  return {
    user,
    ...(made as { readonly link: string; readonly linkExpiresAt: string; readonly remaining: RemainingAccess }),
  };
}

export async function deleteUserOverHttp(
  platform: RemotePlatform,
  login: string,
  { deleteWebhooks }: { readonly deleteWebhooks: boolean },
): Promise<{ readonly user: User; readonly remaining: RemainingAccess }> {
  const user = await findUserOverHttp(platform, login);
  const path = `/api/platform/users/${user.id}`;
  const remaining = (await callPlatform(platform, platform.url, `${path}/remaining`)) as RemainingAccess;
  await callPlatform(platform, platform.url, `${path}?deleteWebhooks=${deleteWebhooks}`, {}, 'DELETE');
  return { user, remaining: deleteWebhooks ? { ...remaining, webhooks: [] } : remaining };
}

export async function listTokensOverHttp(platform: RemotePlatform): Promise<readonly ApiToken[]> {
  return (await callPlatform(platform, platform.url, '/api/platform/tokens')) as readonly ApiToken[];
}

/** @returns the token with its text, which is shown once */
export async function createTokenOverHttp(
  platform: RemotePlatform,
  login: string,
  wanted: object,
): Promise<ApiToken & { readonly token: string }> {
  const { id } = await findUserOverHttp(platform, login);
  const path = `/api/platform/users/${id}/tokens`;
  return (await callPlatform(platform, platform.url, path, wanted)) as ApiToken & { readonly token: string };
}

export async function revokeTokenOverHttp(platform: RemotePlatform, id: string): Promise<ApiToken> {
  const token = (await listTokensOverHttp(platform)).find((one) => one.id === id);
  if (token === undefined) {
    throw withRemedy(`There is no API token ${id}.`, `List the tokens with: gantry tokens list --url ${platform.url}`);
  }
  await callPlatform(platform, platform.url, `/api/platform/tokens/${id}`, {}, 'DELETE');
  return token;
}

export async function listRolesOverHttp(platform: RemotePlatform): Promise<readonly Role[]> {
  return (await callPlatform(platform, platform.url, '/api/platform/roles')) as readonly Role[];
}

/** @param file content of a file of `gantry roles export` */
export async function importRolesOverHttp(platform: RemotePlatform, file: object): Promise<readonly Role[]> {
  return (await callPlatform(platform, platform.url, '/api/platform/roles', file, 'PATCH')) as readonly Role[];
}

async function findUserOverHttp(platform: RemotePlatform, login: string): Promise<User> {
  const user = (await listUsersOverHttp(platform)).find((one) => one.login === login.trim().toLowerCase());
  if (user !== undefined) return user;
  throw withRemedy(`There is no user ${login}.`, `List the users with: gantry users list --url ${platform.url}`);
}
