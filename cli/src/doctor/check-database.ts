import { unlessAborted } from '@gantry/core-common';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkConnection,
  defaultConnections,
  minConnections,
  planOnly,
  readConnectionLimit,
  type HostConfig,
  type SchemaPreview,
} from '@gantry/host';
import { openDatabase } from '@gantry/launcher/open-database';
import type { CommandContext } from '../context/command-context';
import { counted } from '../terminal/table';
import { fail, failedWith, ok, warn, type Check } from './check';
import type { CheckedPlugins } from './check-plugins';
import { checkSearch } from './check-search';

/** The database answers, is new enough, has what searching needs, and fits the plugins. */
export async function checkDatabase(
  context: CommandContext,
  config: HostConfig,
  schemas: CheckedPlugins['schemas'],
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const trial = homeFor(context, config);
  try {
    const database = await openDatabase({
      home: trial.home,
      purpose: 'gantry doctor',
      environment: context.environment,
      signal,
    });
    try {
      const checked = { ...config, databaseUrl: database.url };
      return await unlessAborted(checkServer(context, checked, trial.isTrial ? 'not created' : schemas), signal);
    } finally {
      await database.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return [failedWith('PostgreSQL', error, 'Read the log of PostgreSQL.')];
  } finally {
    if (trial.isTrial) await rm(trial.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Before the first start, the embedded server is tried in a temporary folder: a check must not leave anything behind. */
function homeFor(
  { environment }: CommandContext,
  { home }: HostConfig,
): { readonly home: string; readonly isTrial: boolean } {
  const isTrial = !environment['DATABASE_URL'] && !existsSync(join(home, 'postgres'));
  return { home: isTrial ? mkdtempSync(join(tmpdir(), 'gantry-doctor-')) : home, isTrial };
}

async function checkServer(
  context: CommandContext,
  config: HostConfig,
  schemas: CheckedPlugins['schemas'] | 'not created',
): Promise<readonly Check[]> {
  const connection = await checkConnection(config.databaseUrl);
  if (connection.status === 'unusable') {
    return [fail('PostgreSQL', connection.problem.message, connection.problem.remedy)];
  }
  const kind = context.environment['DATABASE_URL'] ? 'DATABASE_URL' : 'embedded';
  return [
    ok('PostgreSQL', `${connection.serverVersion} (${kind})`),
    ...(await checkSearch(config.databaseUrl)),
    await checkConnections(config),
    ...(schemas === 'not created'
      ? [ok('Schema', 'the database is created at the first start')]
      : await checkSchema(config, schemas)),
  ];
}

/** A host must get its connections while another one runs too, as one does during a change of the plugins. */
async function checkConnections({ databaseUrl, databaseConnections }: HostConfig): Promise<Check> {
  const limit = await readConnectionLimit(databaseUrl);
  const wanted = databaseConnections ?? defaultConnections(limit);
  const message = `a host uses up to ${wanted} of the ${limit} that PostgreSQL allows`;
  if (wanted * 2 <= limit) return ok('Connections', message);
  const remedy =
    'Raise max_connections in PostgreSQL, or the CONNECTION LIMIT of the database or role; ' +
    `or set GANTRY_DATABASE_CONNECTIONS to a lower number, at least ${minConnections}.`;
  if (wanted > limit) return fail('Connections', `${message}.`, remedy);
  return warn('Connections', `${message}, too many for two hosts.`, remedy);
}

/** Without the plugins, it is not known what the schema has to be. */
async function checkSchema({ databaseUrl }: HostConfig, plugins: CheckedPlugins['schemas']): Promise<readonly Check[]> {
  return plugins === undefined ? [] : [judge(await planOnly({ databaseUrl, plugins }))];
}

function judge(plan: SchemaPreview): Check {
  const [failure] = plan.failures;
  if (failure !== undefined) return fail('Schema', `${failure.plugin}: ${failure.reason}`, failure.remedy);
  const [difference] = plan.differences;
  if (difference !== undefined) {
    const more = plan.differences.length > 1 ? `, and ${plan.differences.length - 1} more` : '';
    return warn(
      'Schema',
      `${difference.table}: ${difference.description}${more}.`,
      'See the statements: gantry migrate plan',
    );
  }
  return ok(
    'Schema',
    isDue(plan) ? `${counted(plan.steps.length, 'step')} will be done at the next start` : 'fits the plugins',
  );
}

function isDue({ steps, pendingMigrations }: SchemaPreview): boolean {
  return steps.length > 0 || pendingMigrations.length > 0;
}
