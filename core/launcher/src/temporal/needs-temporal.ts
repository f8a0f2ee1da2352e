import { inspectPlugins } from '@gantry/host/inspect-plugins';
import type { PluginPlaces } from '@gantry/host/inspect-plugins';

/**
 * Whether any plugin that the platform would use has a task queue. Which of them this very process runs does not matter:
 * the servers belong to the home, and other processes may share them.
 */
export async function needsTemporal({ home, project, pluginPath }: PluginPlaces): Promise<boolean> {
  try {
    const { plugins } = await inspectPlugins({ home, project, pluginPath });
    return plugins.some(({ state, contributes }) => state === 'stopped' && contributes.taskQueues.length > 0);
  } catch {
    // The host finds the same problem and reports it.
    return false;
  }
}
