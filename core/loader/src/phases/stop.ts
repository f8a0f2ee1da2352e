import { describeError } from '@gantry/core-common';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { PluginRecord } from '../record/plugin-record';
import type { RegisteredPlugin } from '../record/registered-plugin';

/** Stops the plugins that were started, each before those it depends on. */
export async function stopAll(records: readonly PluginRecord[], run: RunPluginCode, timeoutMs: number): Promise<void> {
  for (const record of records.toReversed()) {
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
