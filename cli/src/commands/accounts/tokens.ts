import {
  createApiToken,
  revokeApiToken,
  type AccountChange,
  type ApiToken,
  type NewApiToken,
} from '@gantry/host/open-identity';
import type { CommandContext } from '../../context/command-context';
import { byCommand, withIdentity } from '../../context/with-identity';
import { UsageError } from '../../common/usage-error';
import { table } from '../../terminal/table';
import { createTokenOverHttp, isRemote, listTokensOverHttp, revokeTokenOverHttp } from './accounts-over-http';
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
  if (isRemote(context)) return listTokensOverHttp(context);
  const work = { purpose: 'gantry tokens list', afterInterruption: 'Nothing was changed.' };
  return withIdentity(context, work, ({ apiTokens }) => apiTokens.list());
}

export interface NewTokenOptions {
  readonly login: string;
  readonly name: string;
  readonly days: number;
  /** Empty for all roles of the user. */
  readonly roles: readonly string[];
  readonly managesAccounts: boolean;
}

/** `gantry tokens create <login>`: prints the token, once. */
export async function createToken(context: CommandContext, options: NewTokenOptions): Promise<number> {
  const { login, name, days, roles, managesAccounts } = options;
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    throw new UsageError('--days must be a whole number from 1 to 3650.');
  }
  const wanted: NewApiToken = {
    ...{ name, expiresInDays: days },
    ...(roles.length === 0 ? {} : { roles }),
    ...(managesAccounts ? { managesAccounts } : {}),
  };
  const token = isRemote(context)
    ? await createTokenOverHttp(context, login, wanted)
    : await changeAtHome(context, 'gantry tokens create', async (change) =>
        createApiToken(change, await findUser(change, login), wanted),
      );
  const { terminal } = context;
  if (context.json) terminal.printJson(token);
  else {
    terminal.note(`The token of ${login} expires on ${token.expiresAt.slice(0, 10)}.`);
    terminal.print(token.token);
  }
  return 0;
}

/** `gantry tokens revoke <id>` */
export async function revokeToken(context: CommandContext, id: string): Promise<number> {
  const token = isRemote(context)
    ? await revokeTokenOverHttp(context, id)
    : await changeAtHome(context, 'gantry tokens revoke', (change) => revokeApiToken(change, id));
  if (context.json) context.terminal.printJson(token);
  else context.terminal.print(`Revoked ${token.name} (${id}).`);
  return 0;
}

function changeAtHome<T>(context: CommandContext, purpose: string, work: (change: AccountChange) => Promise<T>) {
  const command = { purpose, afterInterruption: 'List the tokens with: gantry tokens list' };
  return withIdentity(context, command, (identity) => identity.change(byCommand, work));
}

function rowOf({ id, name, expiresAt, lastUsedAt }: ApiToken, login: string): readonly string[] {
  return [id, name, login, expiresAt.slice(0, 10), lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never'];
}
