import type { HostConfig, Identity, NewUser, OneTimeLink, User, UserChange } from '@gantry/host';
import { changeUser, endAccess, type EndedAccess, type RemainingAccess } from '@gantry/host/open-identity';
import type { CommandContext } from '../../context/command-context';
import { runningAddress } from '../../context/running-platform';
import { byCommand, withIdentity } from '../../context/with-identity';
import { plain } from '../../common/plain';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';
import { table } from '../../terminal/table';
import {
  createUserOverHttp,
  deleteUserOverHttp,
  isRemote,
  listUsersOverHttp,
  resetUserOverHttp,
  updateUserOverHttp,
  type RemotePlatform,
} from './accounts-over-http';

/** `gantry users list` */
export async function listUsers(context: CommandContext): Promise<number> {
  const users = await readUsers(context, 'gantry users list');
  const { terminal } = context;
  if (context.json) terminal.printJson(users);
  else if (users.length === 0) terminal.print('There are no users: the platform is open on this machine.');
  else terminal.print(table(['LOGIN', 'NAME', 'KIND', 'ROLES', 'STATE'], users.map(rowOf)));
  return 0;
}

export interface NewUserOptions {
  readonly login: string;
  readonly name: string | undefined;
  readonly roles: readonly string[];
  readonly isService: boolean;
}

/** `gantry users create <login>`: prints the link with which the person sets a password. */
export async function createUser(context: CommandContext, options: NewUserOptions): Promise<number> {
  assertRoles(options.roles);
  const { login, name, roles, isService } = options;
  const wanted: NewUser = {
    ...{ login, kind: isService ? 'service' : 'person', roles },
    ...(name === undefined ? {} : { displayName: name }),
  };
  const created = isRemote(context)
    ? { isFirst: false, ...(await createUserOverHttp(context, wanted)) }
    : await createAtHome(context, wanted);
  const { terminal } = context;
  const { user, isFirst, link } = created;
  if (context.json) {
    terminal.printJson(created);
    return 0;
  }
  terminal.print(`Created ${user.login}.`);
  if (isFirst) terminal.print('Sign-in is required from now on.');
  if (link === undefined) terminal.print(`Create an API token with: gantry tokens create ${user.login} --name <name>`);
  else printLink(context, link);
  return 0;
}

function createAtHome(context: CommandContext, wanted: NewUser) {
  return run(context, 'gantry users create', async (identity, config) => {
    const wasRequired = identity.hasAdministrator();
    return identity.change(byCommand, async ({ users, record }) => {
      const user = await users.create(wanted);
      const subject = `user:${user.id}`;
      await record({ action: 'user-created', subject, detail: { login: user.login, roles: user.roles } });
      if (!wasRequired) await record({ action: 'sign-in-switched-on', subject });
      const link = user.kind === 'person' ? await users.createLink(user.id) : undefined;
      return { user, isFirst: !wasRequired, ...linkOf(context, config, link) };
    });
  });
}

export interface ResetOptions extends EndedAccess {
  readonly withSecondFactor: boolean;
}

/** `gantry users reset <login>`: a link for another password. The old one works until the link is used. */
export async function resetUser(context: CommandContext, login: string, options: ResetOptions): Promise<number> {
  const reset = isRemote(context)
    ? await resetOverHttp(context, login, options)
    : await resetAtHome(context, login, options);
  if (context.json) {
    context.terminal.printJson(reset);
    return 0;
  }
  if (reset.link !== undefined) printLink(context, reset.link);
  printRemaining(context, reset.user, reset.remaining);
  return 0;
}

function resetOverHttp(context: RemotePlatform, login: string, { withSecondFactor, ...ended }: ResetOptions) {
  if (!withSecondFactor) return resetUserOverHttp(context, login, ended);
  throw new UsageError('--second-factor works on the machine of the platform only, without --url.');
}

function resetAtHome(context: CommandContext, login: string, { withSecondFactor, ...ended }: ResetOptions) {
  return run(context, 'gantry users reset', (identity, config) =>
    identity.change(byCommand, async (change) => {
      const user = await findUser(change, login);
      const link = await change.users.createLink(user.id);
      if (withSecondFactor) await change.secondFactors.removeAll(user.id);
      const subject = `user:${user.id}`;
      await change.record({ action: 'password-reset-requested', subject, detail: { withSecondFactor } });
      const remaining = await endAccess(change, user, ended);
      return { user, ...linkOf(context, config, link), remaining };
    }),
  );
}

/** Somebody else may have made it: another password ends none of it. */
function printRemaining(context: CommandContext, { login }: User, remaining: RemainingAccess): void {
  const { terminal } = context;
  const { tokens, webhooks, created } = remaining;
  if (tokens.length > 0) {
    terminal.print(
      `API tokens of ${login}, which stay valid. Revoke all with --revoke-tokens, or one with: gantry tokens revoke`,
    );
    terminal.print(
      table(
        ['ID', 'NAME', 'EXPIRES'],
        tokens.map(({ id, name, expiresAt }) => [id, name, expiresAt.slice(0, 10)]),
      ),
    );
  }
  if (webhooks.length > 0) {
    terminal.print(
      `Webhooks that ${login} has created, which stay active. Delete all with --delete-webhooks, or one with: gantry webhooks delete`,
    );
    terminal.print(tableOfWebhooks(webhooks));
  }
  printCreated(context, login, created);
}

function tableOfWebhooks(webhooks: RemainingAccess['webhooks']): string {
  return table(
    ['WEBHOOK', 'NAME', 'URL'],
    webhooks.map(({ id, name, url }) => [id, plain(name), plain(url)]),
  );
}

function printCreated({ terminal }: CommandContext, login: string, created: RemainingAccess['created']): void {
  const { users, roles, tokens } = created;
  const rows = [
    ...users.map((user) => ['user', user.login, `gantry users disable ${user.login}`]),
    ...roles.map(({ name }) => ['role', name, `gantry roles export`]),
    ...tokens.map((token) => [
      'API token',
      `${plain(token.name)} of ${token.login}`,
      `gantry tokens revoke ${token.id}`,
    ]),
  ];
  if (rows.length === 0) return;
  terminal.print(`${login} has created these users, roles and API tokens for others. They stay; check each:`);
  terminal.print(table(['KIND', 'NAME', 'COMMAND'], rows));
}

/** `gantry users enable <login>` and `disable <login>` */
export async function setEnabled(context: CommandContext, login: string, isEnabled: boolean): Promise<number> {
  const user = await updateUser(context, 'gantry users', login, { isEnabled });
  report(
    context,
    user,
    `${user.login} is ${isEnabled ? 'enabled' : 'disabled; its sessions and API tokens have ended'}.`,
  );
  return 0;
}

/** `gantry users set-roles <login> --role …` */
export async function setRoles(context: CommandContext, login: string, roles: readonly string[]): Promise<number> {
  assertRoles(roles);
  const user = await updateUser(context, 'gantry users set-roles', login, { roles });
  report(context, user, `${user.login} has the roles ${user.roles.join(', ')}.`);
  return 0;
}

function updateUser(context: CommandContext, purpose: string, login: string, change: UserChange): Promise<User> {
  if (isRemote(context)) return updateUserOverHttp(context, login, change);
  return run(context, purpose, (identity) =>
    identity.change(byCommand, async (accounts) => {
      const { id } = await findUser(accounts, login);
      return changeUser(accounts, id, change);
    }),
  );
}

export interface DeleteOptions {
  readonly deleteWebhooks: boolean;
}

/** `gantry users delete <login>` */
export async function deleteUser(context: CommandContext, login: string, options: DeleteOptions): Promise<number> {
  const { user, remaining } = isRemote(context)
    ? await deleteUserOverHttp(context, login, options)
    : await deleteAtHome(context, login, options);
  report(context, user, `Deleted ${user.login}, with its sessions and API tokens.`);
  if (context.json) return 0;
  const { webhooks, created } = remaining;
  if (webhooks.length > 0) {
    context.terminal.print(
      `Webhooks that ${user.login} has created stay active. Delete one with: gantry webhooks delete <webhook>`,
    );
    context.terminal.print(tableOfWebhooks(webhooks));
  }
  printCreated(context, user.login, created);
  return 0;
}

function deleteAtHome(context: CommandContext, login: string, options: DeleteOptions) {
  return run(context, 'gantry users delete', (identity) =>
    identity.change(byCommand, async (change) => {
      const user = await findUser(change, login);
      const remaining = await endAccess(change, user, options);
      const removed = await change.users.remove(user.id);
      const detail = { login: removed.login };
      await change.record({ action: 'user-deleted', subject: `user:${removed.id}`, detail });
      return { user: removed, remaining };
    }),
  );
}

/** Of the platform that --url names, else of the home. */
export async function readUsers(context: CommandContext, purpose: string): Promise<readonly User[]> {
  return isRemote(context) ? listUsersOverHttp(context) : run(context, purpose, ({ users }) => users.list());
}

/** @throws Error that lists the users */
export async function findUser(identity: Pick<Identity, 'users'>, login: string): Promise<User> {
  const user = await identity.users.findByLogin(login);
  if (user !== undefined) return user;
  throw withRemedy(`There is no user ${login}.`, 'List the users with: gantry users list');
}

function run<T>(
  context: CommandContext,
  purpose: string,
  work: (identity: Identity, config: HostConfig) => Promise<T>,
): Promise<T> {
  return withIdentity(context, { purpose, afterInterruption: 'List the users with: gantry users list' }, work);
}

function report({ json, terminal }: CommandContext, user: User, sentence: string): void {
  if (json) terminal.printJson(user);
  else terminal.print(sentence);
}

function linkOf(context: CommandContext, { publicUrl, port }: HostConfig, link: OneTimeLink | undefined) {
  if (link === undefined) return {};
  const running = runningAddress(context);
  const base = publicUrl ?? `http://localhost:${running === undefined ? port : new URL(running).port}`;
  return { link: `${base}/admin/set-password#${link.secret}`, linkExpiresAt: link.expiresAt };
}

function printLink({ terminal }: CommandContext, link: string): void {
  terminal.print('Set a password within 15 minutes; the link works once:');
  terminal.print(`  ${link}`);
}

function rowOf({ login, displayName, kind, roles, isEnabled, ...user }: User): readonly string[] {
  const signsIn = user.hasPassword || kind === 'service' ? 'enabled' : 'enabled, no password yet';
  const waits = user.identityProvider === null || user.hasPassword ? signsIn : 'enabled, by identity provider';
  return [login, displayName, kind, roles.join(', '), isEnabled ? waits : 'disabled'];
}

function assertRoles(roles: readonly string[]): void {
  if (roles.length === 0) throw new UsageError('Name at least one role, for example --role administrator.');
}
