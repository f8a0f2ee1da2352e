import { isIP } from 'node:net';
import { delimiter, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '@gantry/core-common';
import type { LogLevel } from './common/logger';
import { maxConnections, minConnections } from '@gantry/core-database';
import type { PluginSources } from '@gantry/core-loader';
import { defaultImportLineLimit, maxImportLineLimit } from '@gantry/core-transfer/limits';

export { ConfigError };

/** Settings of the host process, from the environment. */
export interface HostConfig extends Omit<PluginSources, 'set' | 'trial' | 'trialFolders'> {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly databaseUrl: string;
  /** Connections to PostgreSQL of this process at most; absent for a share of what PostgreSQL allows. */
  readonly databaseConnections?: number;
  readonly logLevel: LogLevel;
  /** Bytes of a request body at most, after unpacking. */
  readonly bodyLimit: number;
  /** Bytes of a file that is imported over HTTP at most. */
  readonly importLimit: number;
  /** Bytes of one item of such a file at most. */
  readonly importLineLimit: number;
  /** Origin at which browsers reach the platform, for example `https://cms.example.com`. */
  readonly publicUrl?: string;
  /** 32 bytes in base64 that encrypt secrets which are read again; a file of the home unless given. */
  readonly secretKey?: string;
  /** Addresses and networks of reverse proxies whose headers about the client are believed. */
  readonly trustedProxies: readonly string[];
  /** Whether webhooks may be sent to loopback and private addresses. */
  readonly allowsPrivateWebhooks?: boolean;
  /** Whether requests may choose packages that are installed; false for commands on the home alone. */
  readonly takesPackages?: boolean;
  readonly sessions: {
    /** Minutes without a request after which a session ends. */
    readonly idleMinutes: number;
    /** Minutes after which a session ends in any case. */
    readonly maxMinutes: number;
  };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];
/** Less would refuse what the pages send. */
const leastBytes = 1024;
const bytesExpected = `must be a whole number of bytes from ${leastBytes}`;
const lineLimitExpected = `${bytesExpected} to ${maxImportLineLimit}`;
const connectionsExpected = `must be a whole number from ${minConnections} to ${maxConnections}`;
const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '::1'];
const minutesExpected = 'must be a whole number of minutes from 1 to 525600';

const publicUrlExpected =
  'must be the address at which browsers reach the platform, without a path: https://cms.example.com';
const minutes = z.coerce
  .number({ error: minutesExpected })
  .int({ error: minutesExpected })
  .min(1, { error: minutesExpected })
  .max(525_600, { error: minutesExpected });

/** The settings; docs/configuration.md is made from their descriptions. */
export const settingsSchema = z.object({
  GANTRY_HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || host === 'localhost', {
      error: 'must be an IP address of this machine, 0.0.0.0 or :: for all of them, or localhost',
    })
    .default('127.0.0.1')
    .describe(
      'IP address on which HTTP listens. Other machines reach the platform only with GANTRY_PUBLIC_URL and an administrator',
    ),
  GANTRY_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: publicUrlExpected })
    .refine((url) => isOrigin(url), { error: publicUrlExpected })
    .optional()
    .describe('Origin at which browsers reach the platform, such as https://cms.example.com'),
  GANTRY_TRUSTED_PROXIES: z
    .string()
    .refine((list) => proxiesOf(list).every(isNetwork), {
      error: 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
    })
    .default('')
    .describe('Addresses or networks of proxies whose X-Forwarded-For names the client, separated by commas'),
  GANTRY_SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, {
      error: 'must be 32 bytes in base64; make one with: openssl rand -base64 32',
    })
    .optional()
    .describe('Key of stored secrets, 32 bytes in base64; unless given, secret-key in the home'),
  GANTRY_SESSION_IDLE_MINUTES: minutes.default(8 * 60).describe('Minutes without a request after which a session ends'),
  GANTRY_SESSION_MAX_MINUTES: minutes.default(7 * 24 * 60).describe('Minutes after which a session ends in any case'),
  GANTRY_WEBHOOK_PRIVATE_ADDRESSES: z
    .enum(['allow', 'refuse'], { error: 'must be allow, for webhooks within a private network, or refuse' })
    .default('refuse')
    .describe('allow: webhooks may reach loopback and private addresses'),
  GANTRY_PACKAGES_OVER_HTTP: z
    .enum(['allow', 'refuse'], { error: 'must be refuse, for commands on the home alone, or allow' })
    .default('allow')
    .describe('refuse: packages of plugins are installed by commands on the home only'),
  GANTRY_PORT: z.coerce
    .number({ error: 'must be a port from 0 to 65535' })
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .describe('Port of HTTP; 0 chooses a free one'),
  GANTRY_HOME: z.string().default('.gantry').describe('Folder of the data, below the project unless absolute'),
  GANTRY_PROJECT: z.string().default('.').describe('Folder of the project, whose package.json names plugins'),
  GANTRY_PLUGIN_PATH: z
    .string()
    .default(['plugins', 'services'].join(delimiter))
    .describe('Folders of plugins, separated by : (Windows: ;)'),
  GANTRY_ONLY: z
    .string()
    .default('')
    .describe('Ids of the plugins to run with their dependencies, as --only; empty: all'),
  GANTRY_PLUGIN_SET: z.string().optional().describe('File with decisions about plugins that replaces the stored set'),
  GANTRY_SAFE: z
    .enum(['0', '1'], { error: 'must be 1, for a start with required plugins only, or 0' })
    .default('0')
    .describe('1: only required plugins run, as --safe'),
  DATABASE_URL: z
    .string({
      error: 'is missing: start with `gantry up`, which includes a database, or set it to a PostgreSQL 14 or newer',
    })
    .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://' })
    .describe('PostgreSQL 14 or newer; unless given, gantry up brings its own'),
  GANTRY_DATABASE_CONNECTIONS: z.coerce
    .number({ error: connectionsExpected })
    .int({ error: connectionsExpected })
    .min(minConnections, { error: connectionsExpected })
    .max(maxConnections, { error: connectionsExpected })
    .optional()
    .describe(
      `Connections to PostgreSQL of a host at most, ${minConnections} to ${maxConnections}; unless given, by what PostgreSQL allows`,
    ),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe(`Least level of log lines: ${logLevels.join(', ')}`),
  GANTRY_BODY_LIMIT: z.coerce
    .number({ error: bytesExpected })
    .int()
    .min(leastBytes)
    .default(1024 * 1024)
    .describe('Bytes of a request body at most'),
  GANTRY_IMPORT_LIMIT: z.coerce
    .number({ error: bytesExpected })
    .int()
    .min(leastBytes)
    .default(1024 * 1024 * 1024)
    .describe('Bytes of a file that is imported over HTTP at most'),
  GANTRY_IMPORT_LINE_LIMIT: z.coerce
    .number({ error: lineLimitExpected })
    .int({ error: lineLimitExpected })
    .min(leastBytes, { error: lineLimitExpected })
    .max(maxImportLineLimit, { error: lineLimitExpected })
    .default(defaultImportLineLimit)
    .describe(`Bytes of one item of an imported file at most, up to ${maxImportLineLimit}`),
});

/** @throws ConfigError that names every setting that is wrong. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = settingsSchema.safeParse(withoutEmpty(environment));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(describeIssue(environment)).join('; '));
  const value = parsed.data;
  assertReachable(value.GANTRY_HOST, value.GANTRY_PUBLIC_URL);
  const project = resolve(value.GANTRY_PROJECT);
  return {
    host: value.GANTRY_HOST,
    port: value.GANTRY_PORT,
    home: resolve(project, value.GANTRY_HOME),
    project,
    pluginPath: value.GANTRY_PLUGIN_PATH.split(delimiter)
      .filter(Boolean)
      .map((folder) => resolve(project, folder)),
    ...(value.GANTRY_SAFE === '1' ? { only: [] } : onlyOf(value.GANTRY_ONLY)),
    ...(value.GANTRY_PLUGIN_SET === undefined ? {} : { setFile: resolve(project, value.GANTRY_PLUGIN_SET) }),
    databaseUrl: value.DATABASE_URL,
    ...(value.GANTRY_DATABASE_CONNECTIONS === undefined
      ? {}
      : { databaseConnections: value.GANTRY_DATABASE_CONNECTIONS }),
    logLevel: value.LOG_LEVEL,
    bodyLimit: value.GANTRY_BODY_LIMIT,
    importLimit: value.GANTRY_IMPORT_LIMIT,
    importLineLimit: value.GANTRY_IMPORT_LINE_LIMIT,
    ...(value.GANTRY_PUBLIC_URL === undefined ? {} : { publicUrl: new URL(value.GANTRY_PUBLIC_URL).origin }),
    ...(value.GANTRY_SECRET_KEY === undefined ? {} : { secretKey: value.GANTRY_SECRET_KEY }),
    trustedProxies: proxiesOf(value.GANTRY_TRUSTED_PROXIES),
    allowsPrivateWebhooks: value.GANTRY_WEBHOOK_PRIVATE_ADDRESSES === 'allow',
    takesPackages: value.GANTRY_PACKAGES_OVER_HTTP === 'allow',
    sessions: { idleMinutes: value.GANTRY_SESSION_IDLE_MINUTES, maxMinutes: value.GANTRY_SESSION_MAX_MINUTES },
  };
}

/** Whether the host is an address of this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHosts.includes(host);
}

/** Whether browsers of other machines reach the platform: by its own address, or by the one of a proxy before it. */
export function isExposed({ host, publicUrl }: Pick<HostConfig, 'host' | 'publicUrl'>): boolean {
  if (!isLoopbackHost(host)) return true;
  return publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname.replaceAll(/[[\]]/g, ''));
}

/** Names of hosts are checked against the public address: without one, no browser elsewhere could use the platform. */
function assertReachable(host: string, publicUrl: string | undefined): void {
  if (isLoopbackHost(host) || publicUrl !== undefined) return;
  throw new ConfigError(
    `GANTRY_HOST is ${host}, not one of ${loopbackHosts.join(', ')}: set GANTRY_PUBLIC_URL to the address that browsers use`,
  );
}

function isOrigin(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { pathname, search, hash, username, password } = new URL(url);
  return pathname === '/' && [search, hash, username, password].every((part) => part === '');
}

function proxiesOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  return version !== 0 && isPrefix && rest.length === 0;
}

function onlyOf(text: string): Pick<HostConfig, 'only'> {
  const only = text
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  return only.length === 0 ? {} : { only };
}

function withoutEmpty(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

function describeIssue(environment: Readonly<Record<string, string | undefined>>) {
  return (issue: z.core.$ZodIssue): string => {
    const name = String(issue.path[0]);
    const found =
      ['DATABASE_URL', 'GANTRY_SECRET_KEY'].includes(name) || environment[name] === undefined
        ? ''
        : ` (found "${environment[name]}")`;
    return `${name} ${issue.message}${found}`;
  };
}
