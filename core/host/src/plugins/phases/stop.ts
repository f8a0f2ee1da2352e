import { messageOf } from '../../common/message-of';
import type { RunPluginCode } from '../execution/plugin-execution';
import type { RegisteredPlugin } from '../record/registered-plugin';

/** Runs the `stop` function of a plugin. A failure is logged and delays nothing: the host ends anyway. */
export async function stop(
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
      `The plugin ${manifest.id} did not stop cleanly: ${messageOf(error)}`,
    );
  }
}
