import type { PluginProblem } from '@gantry/contracts';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { RegisteredPlugin } from '../record/registered-plugin';
import { problemOfRun } from '../execution/run-failure';

/** Runs the `start` function of a plugin. @returns what went wrong */
export async function start(
  plugin: RegisteredPlugin,
  run: RunPluginCode,
  timeoutMs: number,
): Promise<PluginProblem | undefined> {
  const { definition, manifest, folder, context } = plugin;
  if (definition.start === undefined) return undefined;
  try {
    await run({ plugin: manifest.id, phase: 'start', timeoutMs }, () => definition.start?.(context));
    return undefined;
  } catch (error) {
    return problemOfRun(error, { manifest, folder, phase: 'start', code: 'START_FAILED', what: 'The start function' });
  }
}
