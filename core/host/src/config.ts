import { delimiter, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './common/config-error';
import type { LogLevel } from './common/logger';
import { maxConnections, minConnections } from './database/connection-shares';
import type { PluginSources } from './plugins/plugin-sources';
import { defaultImportLineLimit, maxImportLineLimit } from './transfer/source/source-record';

export { ConfigError };

/** Settings of the host process, from the environment (decisions, "Configuration"). */
export interface HostConfig extends Omit<PluginSources, 'trial'> {
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
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly LogLevel[];
/** Less would refuse what the pages send. */
const leastBytes = 1024;
const bytesExpected = `must be a whole number of bytes from ${leastBytes}`;
const lineLimitExpected = `${bytesExpected} to ${maxImportLineLimit}`;
const connectionsExpected = `must be a whole number from ${minConnections} to ${maxConnections}`;
const loopbackHosts = ['127.0.0.1', 'localhost', '::1'] as const;

const schema = z.object({
  GANTRY_HOST: z
    .enum(loopbackHosts, {
      error: `must be one of ${loopbackHosts.join(', ')}: until sign-in exists, the platform is open and therefore listens on loopback only`,
    })
    .default('127.0.0.1'),
  GANTRY_PORT: z.coerce.number({ error: 'must be a port from 0 to 65535' }).int().min(0).max(65535).default(3000),
  GANTRY_HOME: z.string().default('.gantry'),
  GANTRY_PROJECT: z.string().default('.'),
  GANTRY_PLUGIN_PATH: z.string().default(['plugins', 'services'].join(delimiter)),
  GANTRY_ONLY: z.string().default(''),
  GANTRY_SAFE: z.enum(['0', '1'], { error: 'must be 1, for a start with required plugins only, or 0' }).default('0'),
  DATABASE_URL: z
    .string({
      error: 'is missing: start with `gantry up`, which brings a database, or set it to a PostgreSQL 14 or newer',
    })
    .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://' }),
  GANTRY_DATABASE_CONNECTIONS: z.coerce
    .number({ error: connectionsExpected })
    .int({ error: connectionsExpected })
    .min(minConnections, { error: connectionsExpected })
    .max(maxConnections, { error: connectionsExpected })
    .optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  GANTRY_BODY_LIMIT: z.coerce
    .number({ error: bytesExpected })
    .int()
    .min(leastBytes)
    .default(1024 * 1024),
  GANTRY_IMPORT_LIMIT: z.coerce
    .number({ error: bytesExpected })
    .int()
    .min(leastBytes)
    .default(1024 * 1024 * 1024),
  GANTRY_IMPORT_LINE_LIMIT: z.coerce
    .number({ error: lineLimitExpected })
    .int({ error: lineLimitExpected })
    .min(leastBytes, { error: lineLimitExpected })
    .max(maxImportLineLimit, { error: lineLimitExpected })
    .default(defaultImportLineLimit),
});

/** @throws ConfigError that names every setting that is wrong. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = schema.safeParse(withoutEmpty(environment));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(describeIssue(environment)).join('; '));
  const value = parsed.data;
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
    databaseUrl: value.DATABASE_URL,
    ...(value.GANTRY_DATABASE_CONNECTIONS === undefined
      ? {}
      : { databaseConnections: value.GANTRY_DATABASE_CONNECTIONS }),
    logLevel: value.LOG_LEVEL,
    bodyLimit: value.GANTRY_BODY_LIMIT,
    importLimit: value.GANTRY_IMPORT_LIMIT,
    importLineLimit: value.GANTRY_IMPORT_LINE_LIMIT,
  };
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
    const found = name === 'DATABASE_URL' || environment[name] === undefined ? '' : ` (found "${environment[name]}")`;
    return `${name} ${issue.message}${found}`;
  };
}
