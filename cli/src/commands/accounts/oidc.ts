import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { HostConfig, Identity, OidcSettings } from '@gantry/host';
import { UsageError } from '../../common/usage-error';
import { withRemedy } from '../../common/with-remedy';
import type { CommandContext } from '../../context/command-context';
import { runningAddress } from '../../context/running-platform';
import { byCommand, withIdentity } from '../../context/with-identity';

export interface OidcOptions extends Omit<OidcSettings, 'roles' | 'defaultRole'> {
  /** `-` for standard input. */
  readonly secretFile: string;
  /** `<group>=<role>` */
  readonly roles: readonly string[];
  readonly defaultRole: string | undefined;
}

/** `gantry auth oidc set`: on an open platform, it switches sign-in on. */
export async function setOidc(context: CommandContext, options: OidcOptions): Promise<number> {
  const { secretFile, roles, defaultRole, ...others } = options;
  const mappings = roles.map(parseMapping);
  const clientSecret = await readSecret(secretFile);
  const { settings, isFirst, redirectUri } = await run(context, 'gantry auth oidc set', async (identity, config) => {
    const client = await identity.oidc.check({
      ...others,
      clientSecret,
      roles: mappings,
      ...(defaultRole === undefined ? {} : { defaultRole }),
    });
    const stored = await identity.change(byCommand, async ({ provider, record }) => {
      const set = await provider.set(client);
      await record({ action: 'identity-provider-set', subject: 'oidc', detail: { ...set.settings } });
      if (set.isFirst) await record({ action: 'sign-in-switched-on', subject: 'oidc' });
      return set;
    });
    return { ...stored, redirectUri: redirectUriOf(context, config) };
  });
  const { terminal } = context;
  if (context.json) {
    terminal.printJson({ ...settings, redirectUri, isFirst });
    return 0;
  }
  terminal.print(`The provider ${settings.issuer} answers. People sign in with "${settings.name}" within 5 seconds.`);
  terminal.print(`The client of the provider needs the redirect URI ${redirectUri}`);
  if (isFirst) terminal.print('Sign-in is required from now on.');
  return 0;
}

/** `gantry auth oidc show` */
export async function showOidc(context: CommandContext): Promise<number> {
  const settings = await run(context, 'gantry auth oidc show', ({ oidc }) => oidc.read());
  const { terminal } = context;
  if (context.json) terminal.printJson(settings ?? null);
  else if (settings === undefined) terminal.print('No identity provider is configured.');
  else for (const line of linesOf(settings)) terminal.print(line);
  return 0;
}

/** `gantry auth oidc remove` */
export async function removeOidc(context: CommandContext): Promise<number> {
  const { removed, hasPassword } = await run(context, 'gantry auth oidc remove', async (identity) => {
    const wasThere = await identity.change(byCommand, async ({ provider, record }) => {
      const found = await provider.remove();
      if (found) await record({ action: 'identity-provider-removed', subject: 'oidc' });
      return found;
    });
    const users = await identity.users.list();
    const isAdministrator = ({ roles, isEnabled }: (typeof users)[number]): boolean =>
      isEnabled && roles.includes('administrator');
    return { removed: wasThere, hasPassword: users.some((user) => isAdministrator(user) && user.hasPassword) };
  });
  const { terminal } = context;
  if (context.json) terminal.printJson({ removed });
  else if (!removed) terminal.print('No identity provider is configured.');
  else {
    terminal.print('Removed the identity provider. The sessions of its users end within 5 seconds.');
    if (!hasPassword) {
      terminal.print('No administrator has a password. Set one with: gantry users reset <email>');
    }
  }
  return 0;
}

/** On this machine, the one of the host name that the browser uses. */
function redirectUriOf(context: CommandContext, { publicUrl, port }: HostConfig): string {
  const running = runningAddress(context);
  const base = publicUrl ?? `http://localhost:${running === undefined ? port : new URL(running).port}`;
  return `${base}/api/platform/oidc/callback`;
}

/** The group may hold `=`, as names of directories do. */
function parseMapping(pair: string): { readonly group: string; readonly role: string } {
  const at = pair.lastIndexOf('=');
  if (at < 1 || at === pair.length - 1) {
    throw new UsageError(`--role "${pair}" is not of the form <group>=<role>.`);
  }
  return { group: pair.slice(0, at), role: pair.slice(at + 1) };
}

async function readSecret(file: string): Promise<string> {
  const isInput = file === '-';
  const content = isInput ? await text(process.stdin) : await readFile(file, 'utf8');
  const secret = content.trim();
  if (secret !== '') return secret;
  throw withRemedy(
    `${isInput ? 'Standard input' : file} has no client secret.`,
    'Copy the secret of the client from the provider.',
  );
}

function linesOf(settings: OidcSettings): readonly string[] {
  const { issuer, clientId, name, groupsClaim, roles, defaultRole, linksByEmail } = settings;
  return [
    `Issuer:        ${issuer}`,
    `Client id:     ${clientId}`,
    'Client secret: stored, not shown',
    `Name:          ${name}`,
    `Groups claim:  ${groupsClaim}`,
    ...roles.map(({ group, role }) => `Role:          ${role} for the group ${group}`),
    `Default role:  ${defaultRole ?? 'none; persons without such a group are refused'}`,
    `Link by email: ${linksByEmail ? 'yes' : 'no'}`,
  ];
}

function run<T>(
  context: CommandContext,
  purpose: string,
  work: (identity: Identity, config: HostConfig) => Promise<T>,
): Promise<T> {
  return withIdentity(
    context,
    { purpose, afterInterruption: 'Show the stored settings with: gantry auth oidc show' },
    work,
  );
}
