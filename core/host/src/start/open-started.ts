import type { Successor } from '@gantry/contracts';
import { ConfigError } from '@gantry/core-common';
import { assertOwnSessions, startChangeMaintenance } from '@gantry/core-database';
import type { Identity } from '@gantry/core-identity';
import { PluginError, removeOrphanedDrafts, type PluginRegistry, type PluginSources } from '@gantry/core-loader';
import { followTypeEvents } from '../composition/follow-type-events';
import { openContent, type Content } from '../composition/open-content';
import { isExposed, type HostConfig } from '../config';
import { modules, schemasOf } from '../modules';
import type { HostOptions } from '../host-options';
import { createRunningHost, type RunningHost, type SharedPluginSet } from '@gantry/core-lifecycle';
import { version } from '../version';
import type { Logger } from '@gantry/plugin-api';
import type { TemporalAccess } from '../temporal/temporal-access';
import type { Endings } from './endings';
import type { Waiting } from './waiting';

export interface StartedContent {
  readonly content: Content;
  /** This host, as others on the database see it. */
  readonly host: RunningHost | undefined;
}

interface StartParts {
  readonly set: SharedPluginSet;
  readonly temporal: TemporalAccess;
  readonly waiting: Waiting;
  readonly endings: Endings;
}

/** The content with all plugins started that can be. @throws PluginError when one is missing that must run */
export async function openStarted(
  options: HostOptions,
  { set, temporal, waiting: { withDatabase }, endings }: StartParts,
): Promise<StartedContent> {
  const { config, logger, successor, quarantines = [], notifyLauncher = () => undefined } = options;
  if (successor === undefined) {
    await removeOrphanedDrafts(config.home);
    await withDatabase(() => assertOwnSessions(config.databaseUrl));
    await withDatabase(() => set.open());
  }
  let host: RunningHost | undefined;
  const content = await openContent({
    ...options,
    config: { ...config, ...trialOf(successor, set) },
    quarantines,
    notifyLauncher,
    temporal,
    isTemporalUnavailable: () => temporal.isUnavailable(),
    withDatabase,
    // Register before linking: a purge and the link both take the schema lock, so that the purge sees this host, or the link sees
    // that the tables were dropped.
    onLoaded: async (registry, database) => {
      const noted = createRunningHost({ ...options, database, version, runningPlugins: () => idsOf(registry) });
      host = noted;
      endings.add('registration', () => noted.remove());
      await noted.note();
    },
  });
  endings.add('plugins', () => content.registry.stop());
  endings.add('connections', () => content.close());
  options.onContent?.(content);
  // Before any plugin runs: nothing of it has to be ended then.
  assertProtected(options, content.identity);
  // Before the workers take up what they find: they need the processor and the database, and a ping would wait for both.
  await withDatabase(() => content.database.ping());
  await content.registry.start();
  assertMustStart(content.registry, successor);
  await withDatabase(() => recordTypes(content));
  const { databaseUrl } = config;
  const maintenance = startChangeMaintenance({ databaseUrl, logger, owners: schemasOf(options.modules ?? modules) });
  endings.add('work', () => maintenance.stop());
  const typeEvents = followTypeEvents(content.database.plugins, content.registry, logger);
  endings.add('work', () => typeEvents.stop());
  return { content, host };
}

/** Before the first request: grants apply to the fields that they were written for. */
async function recordTypes({ registry, policies, identity }: Content): Promise<void> {
  await identity.roles.recordTypes(
    idsOf(registry).filter((id) => registry.served(id) === 'served'),
    policies.open.types.served().map(({ descriptor: { plugin, code, fields } }) => ({
      plugin,
      type: code,
      fields: fields.map(({ name }) => name),
    })),
  );
}

function idsOf(registry: PluginRegistry): readonly string[] {
  return registry.registeredPlugins().map(({ manifest }) => manifest.id);
}

function trialOf(successor: Successor | undefined, set: SharedPluginSet): Pick<PluginSources, 'trial' | 'set'> {
  if (successor?.follow !== undefined) return { set: set.decisionsOf(successor.follow) };
  return successor === undefined ? {} : { trial: new Map(Object.entries(successor.decisions)) };
}

/** @throws ConfigError when other machines could reach a platform that is open */
function assertProtected(
  { config, logger }: Pick<HostOptions, 'config' | 'logger'>,
  { hasAdministrator }: Identity,
): void {
  if (!isExposed(config)) return;
  warnOfProxy(config, logger);
  if (hasAdministrator()) return;
  throw new ConfigError(
    `${exposedBy(config)}, not an address of this machine alone, and sign-in is not switched on. Create the first administrator with: gantry users create <email> --role administrator`,
  );
}

function exposedBy({ host, publicUrl }: HostConfig): string {
  return isExposed({ host }) ? `GANTRY_HOST is ${host}` : `GANTRY_PUBLIC_URL is ${publicUrl ?? ''}`;
}

/** Behind a proxy that is not trusted, all clients have its address, and the limits of sign-in count them together. */
function warnOfProxy(config: HostConfig, logger: Logger): void {
  if (config.publicUrl === undefined || config.trustedProxies.length > 0) return;
  logger.warn(
    { publicUrl: config.publicUrl },
    'GANTRY_PUBLIC_URL is set and GANTRY_TRUSTED_PROXIES is not: behind a proxy, limits of sign-in and the audit log see its address instead of those of the clients',
  );
}

/**
 * A host that takes the place of another one must not serve less than that one did.
 * @throws PluginError GENERATION_REFUSED that names every plugin which would not run, and why
 */
function assertMustStart(registry: PluginRegistry, { mustStart = [], follow }: Partial<Successor> = {}): void {
  const reports = new Map(registry.reports().map((report) => [report.id, report]));
  // Another host has enabled it, and it is not selected for this process.
  const isElsewhere = (id: string): boolean =>
    follow !== undefined && reports.get(id)?.problems[0]?.code === 'PLUGIN_NOT_SELECTED';
  const missing = mustStart.filter((id) => reports.get(id)?.state !== 'started' && !isElsewhere(id));
  if (missing.length === 0) return;
  const problems = missing.map((id) => ({ id, problem: reports.get(id)?.problems[0] }));
  const reasons = problems.map(({ id, problem }) => `${id} (${problem?.reason ?? 'its package no longer exists'})`);
  const remedies = new Set(problems.map(({ problem }) => problem?.remedy ?? 'Restore the package'));
  throw new PluginError(
    'GENERATION_REFUSED',
    `With this change, ${missing.length === 1 ? 'a plugin' : 'plugins'} would not run: ${reasons.join(', ')}`,
    [...remedies].join('; '),
  );
}
