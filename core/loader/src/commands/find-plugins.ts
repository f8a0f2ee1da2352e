import { discover } from '../phases/discover';
import { orderAll } from '../phases/order';
import { validateAll, type ValidatedPlugins } from '../phases/validate';
import type { PluginSources } from '../plugin-sources';

/**
 * The plugins as far as they can be known without running any of their code.
 * @throws PluginError PLUGIN_STATE_DAMAGED, PLUGIN_UNKNOWN
 */
export async function findPlugins(sources: PluginSources): Promise<ValidatedPlugins> {
  const found = await discover(sources);
  const plugins = await validateAll(found, sources);
  orderAll(plugins.records, plugins.decisions);
  return plugins;
}
