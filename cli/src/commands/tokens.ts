import { createApiToken, revokeApiToken, type ApiToken } from '@gantry/host/open-identity';
import type { CommandContext } from '../context/command-context';
import { callPlatform } from '../context/running-platform';
import { byCommand, withIdentity } from '../context/with-identity';
import { UsageError } from '../common/usage-error';
import { table } from '../terminal/table';
import { findUser, readUsers } from './users';

/** `gantry tokens list` */
export async function listTokens(context: CommandContext): Promise<number> {
  const tokens = await readTokens(context);
  const users = new Map((await readUsers(context, 'gantry tokens list')).map(({ id, login }) => [id, login]));
  const { terminal } = context;
  if (context.json) terminal.printJson(tokens);
  else if (tokens.length === 0) terminal.print('There are no API tokens.');
  else {
    const rows = tokens.map((token) => rowOf(token, users.get(token.userId) ?? ''));
    terminal.print(table(['ID', 'NAME', 'USER', 'EXPIRES', 'LAST USED'], rows));
  }
  return 0;
}

/** Of the platform that --url names, else of the home. */
async function readTokens(context: CommandContext): Promise<readonly ApiToken[]> {
  if (context.url !== undefined) {
    return (await callPlatform(context, context.url, '/api/platform/tokens')) as readonly ApiToken[];
  }
  const work = { purpose: 'gantry tokens list', afterInterruption: 'Nothing was changed.' };
  return withIdentity(context, work, ({ apiTokens }) => apiTokens.list());
}

export interface NewTokenOptions {
  readonly login: string;
  readonly name: string;
  readonly days: number;
  /** Empty for all roles of the user. */
  readonly roles: readonly string[];
}

/** `gantry tokens create <login>`: prints the token, once. */
export async function createToken(context: CommandContext, options: NewTokenOptions): Promise<number> {
  const { login, name, days, roles } = options;
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    throw new UsageError('--days must be a whole number from 1 to 3650.');
  }
  const token = await withIdentity(
    context,
    { purpose: 'gantry tokens create', afterInterruption: 'List the tokens with: gantry tokens list' },
    (identity) =>
      identity.change(byCommand, async (change) =>
        createApiToken(change, await findUser(change, login), {
          ...{ name, expiresInDays: days },
          ...(roles.length === 0 ? {} : { roles }),
        }),
      ),
  );
  const { terminal } = context;
  if (context.json) terminal.printJson(token);
  else {
    terminal.note(`The token of ${login} is shown once and expires on ${token.expiresAt.slice(0, 10)}.`);
    terminal.print(token.token);
  }
  return 0;
}

/** `gantry tokens revoke <id>` */
export async function revokeToken(context: CommandContext, id: string): Promise<number> {
  const token = await withIdentity(
    context,
    { purpose: 'gantry tokens revoke', afterInterruption: 'List the tokens with: gantry tokens list' },
    (identity) => identity.change(byCommand, (change) => revokeApiToken(change, id)),
  );
  if (context.json) context.terminal.printJson(token);
  else context.terminal.print(`Revoked ${token.name} (${id}).`);
  return 0;
}

function rowOf({ id, name, expiresAt, lastUsedAt }: ApiToken, login: string): readonly string[] {
  return [id, name, login, expiresAt.slice(0, 10), lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never'];
}
