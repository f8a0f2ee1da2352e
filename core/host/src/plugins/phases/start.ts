import type { PluginProblem } from '@gantry/contracts';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { RegisteredPlugin } from '../record/registered-plugin';
import { problemOfRun } from '../execution/run-failure';
import type { PluginSet } from './plugin-set';

/** Starts each plugin after those it depends on, one at a time, so that who blocks the process is known for sure. */
export async function startAll(
  set: PluginSet,
  run: RunPluginCode,
  { timeoutMs, isStopping }: { readonly timeoutMs: number; readonly isStopping: () => boolean },
): Promise<void> {
  await set.eachActive('start', async (record) => {
    if (isStopping() || record.registered === undefined) return;
    const problem = await start(record.registered, run, timeoutMs);
    if (problem) set.fail(record, [problem]);
    else if (!isStopping()) record.state = 'started';
  });
}

/** Runs the `start` function of a plugin. @returns what went wrong */
async function start(
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
