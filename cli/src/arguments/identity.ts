import type { CommandContext } from '../context/command-context';
import { command, group, type Command } from './command';
import { UsageError } from '../common/usage-error';
import { flag, parseCount, word, words } from './options';
import { routeUsage } from './route-usage';

const loginOfUser = { type: 'string', demandOption: true, describe: 'login of the user' } as const;

const users = () => import('../commands/accounts/users.js');
const roles = () => import('../commands/accounts/roles.js');
const tokens = () => import('../commands/accounts/tokens.js');
const auth = () => import('../commands/accounts/auth.js');
const oidc = () => import('../commands/accounts/oidc.js');

/** `gantry users …` */
export const usersCommand = group('users', 'Manage who may sign in', [
  command({
    command: 'list',
    describe: routeUsage.listUsers.summary,
    isRemote: true,
    run: async (context) => (await users()).listUsers(context),
  }),
  command({
    command: 'create <login>',
    describe: 'Create a user and print a one-time link for its password; the first user switches sign-in on',
    builder: (parser) =>
      parser
        .positional('login', { type: 'string', demandOption: true, describe: 'email address, or name of a service' })
        .option('role', words('role of the user; may be given several times'))
        .option('name', word('name to show; the login unless given'))
        .option('service', flag('a service account, which has API tokens and no password')),
    isRemote: true,
    run: async (context, { login, role, name, service }) =>
      (await users()).createUser(context, { login, name, roles: role, isService: service }),
  }),
  command({
    command: 'reset <login>',
    describe: 'Print a one-time link that sets another password',
    builder: (parser) =>
      parser
        .positional('login', loginOfUser)
        .option('second-factor', flag('remove the authenticator app, passkeys and recovery codes, too'))
        .option('revoke-tokens', flag('end the API tokens of the user'))
        .option('delete-webhooks', flag('delete the webhooks that the user has created')),
    isRemote: true,
    run: async (context, { login, secondFactor, revokeTokens, deleteWebhooks }) =>
      (await users()).resetUser(context, login, { withSecondFactor: secondFactor, revokeTokens, deleteWebhooks }),
  }),
  command({
    command: 'set-roles <login>',
    describe: 'Give a user other roles, in place of those it has',
    builder: (parser) =>
      parser.positional('login', loginOfUser).option('role', words('role of the user; may be given several times')),
    isRemote: true,
    run: async (context, { login, role }) => (await users()).setRoles(context, login, role),
  }),
  withLogin('enable', 'Let a user sign in again', async (context, login) =>
    (await users()).setEnabled(context, login, true),
  ),
  withLogin('disable', 'End the sessions and API tokens of a user and refuse its sign-ins', async (context, login) =>
    (await users()).setEnabled(context, login, false),
  ),
  command({
    command: 'delete <login>',
    describe: routeUsage.deleteUser.summary,
    builder: (parser) =>
      parser
        .positional('login', loginOfUser)
        .option('delete-webhooks', flag('delete the webhooks that the user has created, too')),
    isRemote: true,
    run: async (context, { login, deleteWebhooks }) => (await users()).deleteUser(context, login, { deleteWebhooks }),
  }),
]);

/** `gantry roles …` */
export const rolesCommand = group('roles', 'Manage roles', [
  command({
    command: 'list',
    describe: routeUsage.listRoles.summary,
    isRemote: true,
    run: async (context) => (await roles()).listRoles(context),
  }),
  command({
    command: 'export',
    describe: 'Write the roles of this platform as JSON, for an import into another platform',
    builder: (parser) => parser.option('file', word('file to write; standard output unless given')),
    isRemote: true,
    run: async (context, { file }) => (await roles()).exportRoles(context, file),
  }),
  command({
    command: 'import <file>',
    describe: 'Create or replace the roles of a file, all of them or none',
    builder: (parser) =>
      parser.positional('file', { type: 'string', demandOption: true, describe: 'file of gantry roles export' }),
    isRemote: true,
    run: async (context, { file }) => (await roles()).importRoles(context, file),
  }),
]);

/** `gantry explain <login> <what> [action]` */
export const explainCommand = command({
  command: 'explain <login> <what> [action]',
  describe: 'Explain why a user may or may not do something, and which role allows it',
  builder: (parser) =>
    parser
      .positional('login', loginOfUser)
      .positional('what', {
        type: 'string',
        demandOption: true,
        describe: 'an item type, or a permission such as ops.read',
      })
      .positional('action', { type: 'string', describe: 'read, create, update, delete, import or export' })
      .option('field', word('field of the type'))
      .option('item', word('id of an item, for roles with conditions')),
  isRemote: true,
  run: async (context, { login, what, action, field, item }) =>
    (await import('../commands/accounts/explain.js')).explainRights(context, { login, what, action, field, item }),
});

const { limit: entries } = routeUsage.readAuditLog.values;

/** `gantry audit` */
export const auditCommand = command({
  command: 'audit',
  describe: 'Show the events of the running platform, the latest first: security events, or changes of items',
  builder: (parser) =>
    parser
      .option('items', flag('changes of items'))
      .option('actor', word('only of this actor, such as user:12 or plugin:order'))
      .option('action', word('only with this action, such as sign-in-refused, or with --items: deleted'))
      .option('type', word('with --items: only of this item type'))
      .option('from', word('only at this time or later, such as 2026-03-01 or 2026-03-01T09:30:00Z'))
      .option('to', word('only before this time'))
      .option('limit', {
        ...word(`entries at most, ${entries.min} to ${entries.max}`),
        default: String(entries.default),
      })
      .example('gantry audit --items --type product --action deleted', ''),
  isRemote: true,
  async run(context, args) {
    const limit = parseCount('limit', args.limit, entries.max);
    if (args.type !== undefined && !args.items) throw new UsageError('--type requires --items.');
    return (await import('../commands/accounts/audit.js')).showAudit(context, { ...args, limit });
  },
});

const { expiresInDays: lifetime } = routeUsage.createServiceToken.values;

/** `gantry tokens …` */
export const tokensCommand = group('tokens', 'Manage API tokens', [
  command({
    command: 'list',
    describe: routeUsage.listTokens.summary,
    isRemote: true,
    run: async (context) => (await tokens()).listTokens(context),
  }),
  command({
    command: 'create <login>',
    describe: 'Create an API token of a user and print it, once',
    builder: (parser) =>
      parser
        .positional('login', loginOfUser)
        .option('name', { ...word('purpose of the token'), demandOption: true })
        .option('days', {
          ...word(`days until it expires, ${lifetime.min} to ${lifetime.max}`),
          default: String(lifetime.default),
        })
        .option('role', words('role to which the token is limited; may be given several times'))
        .option(
          'manages-accounts',
          flag('let the token change users, roles and tokens, and install plugins, as far as its roles allow that'),
        ),
    isRemote: true,
    run: async (context, { login, name, days, role, managesAccounts }) =>
      (await tokens()).createToken(context, {
        ...{ login, name: name ?? '', days: Number(days), roles: role, managesAccounts },
      }),
  }),
  command({
    command: 'revoke <id>',
    describe: routeUsage.revokeToken.summary,
    builder: (parser) => parser.positional('id', { type: 'string', demandOption: true, describe: 'id of the token' }),
    isRemote: true,
    run: async (context, { id }) => (await tokens()).revokeToken(context, id),
  }),
]);

/** `gantry auth oidc …` */
const oidcCommand = group('oidc', 'Manage sign-in with an identity provider (OpenID Connect)', [
  command({
    command: 'set',
    describe: 'Store the provider and the roles of its users, in place of the stored settings',
    builder: (parser) =>
      parser
        .option('issuer', { ...word('URL of the provider'), demandOption: true })
        .option('client-id', { ...word('id of this platform at the provider'), demandOption: true })
        .option('client-secret-file', {
          ...word('file with the client secret; - for standard input'),
          demandOption: true,
        })
        .option('name', { ...word('name on the button: Sign in with <name>'), default: 'your company account' })
        .option('groups-claim', { ...word('claim with the groups of a person'), default: 'groups' })
        .option('role', words('<group>=<role>: the role of persons in the group; may be given several times'))
        .option('default-role', word('role of persons without such a group; without it, they are refused'))
        .option('link-by-email', flag('let persons take over users with their verified email address')),
    run: async (context, args) =>
      (await oidc()).setOidc(context, {
        issuer: args.issuer ?? '',
        clientId: args.clientId ?? '',
        secretFile: args.clientSecretFile ?? '',
        name: args.name ?? '',
        groupsClaim: args.groupsClaim ?? '',
        roles: args.role,
        defaultRole: args.defaultRole,
        linksByEmail: args.linkByEmail,
      }),
  }),
  command({
    command: 'show',
    describe: 'Show the stored settings, without the client secret',
    run: async (context) => (await oidc()).showOidc(context),
  }),
  command({
    command: 'remove',
    describe: 'Remove the provider, and end the sessions of its users',
    run: async (context) => (await oidc()).removeOidc(context),
  }),
]);

/** `gantry auth …` */
export const authCommand = group('auth', 'Show and change whether sign-in is required', [
  command({
    command: 'check',
    describe: 'Show the mode, and which clients need an API token',
    run: async (context) => (await auth()).checkAuth(context),
  }),
  command({
    command: 'disable',
    describe: 'Open the platform again, on its own machine only; it must be stopped',
    builder: (parser) => parser.option('yes', flag('confirm that sign-in is switched off')),
    run: async (context, { yes }) => (await auth()).disableAuth(context, yes),
  }),
  command({
    command: 'rotate-key',
    describe: 'Encrypt the stored secrets with another key; the platform may be running',
    run: async (context) => (await auth()).rotateKey(context),
  }),
  command({
    command: 'log',
    describe: 'Show the latest events of the audit log',
    builder: (parser) => parser.option('limit', { ...word('events at most, 1 to 1000'), default: '50' }),
    run: async (context, { limit }) => (await auth()).showAuditLog(context, Number(limit)),
  }),
  oidcCommand,
]);

function withLogin(
  name: string,
  describe: string,
  run: (context: CommandContext, login: string) => Promise<number>,
): Command {
  return command({
    command: `${name} <login>`,
    describe,
    builder: (parser) => parser.positional('login', loginOfUser),
    isRemote: true,
    run: (context, { login }) => run(context, login),
  });
}
