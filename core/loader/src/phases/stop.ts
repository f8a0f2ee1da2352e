import { describeError } from '@gantry/core-common';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { RegisteredPlugin } from '../record/registered-plugin';
import type { PluginSet } from './plugin-set';

/** Aborts the signals of the plugins, and stops those that were started, each before those it depends on. */
export async function stopAll(set: PluginSet, run: RunPluginCode, timeoutMs: number): Promise<void> {
  for (const { abort } of set.records) abort.abort();
  for (const record of set.active().toReversed()) {
    if (record.state === 'started' && record.registered) await stop(record.registered, run, timeoutMs);
    record.state = 'stopped';
  }
}

/** Runs the `stop` function of a plugin. A failure is logged and delays nothing: the host ends anyway. */
async function stop(
  { definition, manifest, context }: RegisteredPlugin,
  run: RunPluginCode,
  timeoutMs: number,
): Promise<void> {
  if (definition.stop === undefined) return;
  try {
    await run({ plugin: manifest.id, phase: 'stop', timeoutMs }, () => definition.stop?.(context));
  } catch (error) {
    context.logger.error(
      { phase: 'stop', err: error },
      `The plugin ${manifest.id} did not stop cleanly: ${describeError(error)}`,
    );
  }
}
