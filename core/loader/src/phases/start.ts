import type { PluginProblem } from '@gantry/contracts';
import type { Database, Logger, TypeEvent } from '@gantry/plugin-api';
import type { PluginExecution, RunPluginCode } from '../execution/plugin-execution';
import type { Manifest } from '../manifest/manifest';
import type { PluginRecord } from '../record/plugin-record';
import type { RegisteredPlugin } from '../record/registered-plugin';
import { problemOfRun } from '../execution/run-failure';
import type { PluginSet } from './plugin-set';
import { bringSeeds, type SeedOnce } from './seed';

/** Hands the events that the plugin has not had to its `onTypeEvent`. */
export type DeliverTypeEvents = (
  plugin: string,
  handle: (event: TypeEvent, database: Database) => Promise<void>,
) => Promise<void>;

/** Whether a service that the plugin may wait for is unavailable now. */
export type IsWaiting = (manifest: Pick<Manifest, 'id' | 'contributes'>) => Promise<boolean>;

interface StartOptions {
  readonly timeoutMs: number;
  readonly isWaiting?: IsWaiting;
  readonly isStopping: () => boolean;
  readonly deliverTypeEvents: DeliverTypeEvents;
  readonly seedOnce: SeedOnce;
}

/** Starts each plugin after those it depends on, one at a time, so that who blocks the process is known for sure. */
export async function startAll(
  set: PluginSet,
  run: RunPluginCode,
  { isStopping, ...starting }: StartOptions,
): Promise<void> {
  await set.eachActive('start', async (record) => {
    if (isStopping() || record.registered === undefined) return;
    const problem = await start(record.registered, run, starting);
    if (problem) set.fail(record, [problem]);
    else if (!isStopping()) record.state = 'started';
  });
}

/** Runs the `start` function of a plugin. @returns what went wrong */
async function start(
  plugin: RegisteredPlugin,
  run: RunPluginCode,
  { timeoutMs, isWaiting, deliverTypeEvents, seedOnce }: Omit<StartOptions, 'isStopping'>,
): Promise<PluginProblem | undefined> {
  const { definition, manifest, folder, context } = plugin;
  try {
    const { start: ownStart, onTypeEvent, seeds = [] } = definition;
    if (ownStart === undefined && onTypeEvent === undefined && seeds.length === 0) return undefined;
    const limit = { timeoutMs, ...(isWaiting === undefined ? {} : { isWaiting: () => isWaiting(manifest) }) };
    await run({ plugin: manifest.id, phase: 'start', ...limit }, async () => {
      await handOver(plugin, deliverTypeEvents);
      await bringSeeds(plugin, seedOnce);
      await definition.start?.(context);
    });
    return undefined;
  } catch (error) {
    return problemOfRun(error, { manifest, folder, phase: 'start', code: 'START_FAILED', what: 'The start function' });
  }
}

/** Gives the plugin the events of item types that it has not had. */
async function handOver(
  { definition, manifest, context }: RegisteredPlugin,
  deliver: DeliverTypeEvents,
): Promise<void> {
  if (definition.onTypeEvent === undefined) return;
  await deliver(manifest.id, async (event, database) => definition.onTypeEvent?.(event, { ...context, database }));
}

interface HandOverOptions extends Pick<StartOptions, 'deliverTypeEvents'>, Pick<PluginExecution, 'enter'> {
  readonly logger: Logger;
}

/** The same for plugins that run. */
export function createHandOver({ deliverTypeEvents, enter, logger }: HandOverOptions) {
  return async function handOverAll(records: readonly PluginRecord[]): Promise<void> {
    for (const { id, registered } of records) {
      if (registered === undefined) continue;
      try {
        await enter(id, () => handOver(registered, deliverTypeEvents));
      } catch (error) {
        logger.error({ plugin: id, err: error }, 'onTypeEvent failed; it is called again at the next start');
      }
    }
  };
}
