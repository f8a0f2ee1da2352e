import type { Successor } from '@gantry/contracts';
import { assertOwnSessions, startChangeMaintenance } from '@gantry/core-database';
import { removeOrphanedDrafts, type PluginRegistry, type PluginSources } from '@gantry/core-loader';
import { assertMustStart } from '../composition/assert-must-start';
import { followTypeEvents } from '../composition/follow-type-events';
import { openContent, type Content } from '../composition/open-content';
import { modules, schemasOf } from '../modules';
import type { HostOptions } from '../host-options';
import { createRunningHost, type RunningHost, type SharedPluginSet } from '@gantry/core-lifecycle';
import { version } from '../version';
import { assertProtected } from './assert-protected';
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
