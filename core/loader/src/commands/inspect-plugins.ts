import type { PluginReport } from '@gantry/contracts';
import type { PluginSources } from '../plugin-sources';
import { findPlugins } from './find-plugins';
import { reportOf } from '../record/startup-report';
import { readUis } from '../record/plugin-uis';

/** The plugins that the next start would find, as far as it can be known without running plugin code. */
export interface PluginInspection {
  /** Every discovered package, by id. One that nothing is wrong with is `stopped`. */
  readonly plugins: readonly PluginReport[];
  /** Sentences about what looked odd and is no plugin. */
  readonly notes: readonly string[];
}

/**
 * Looks at the plugins while no platform runs. Runs none of their code and changes nothing.
 * @throws PluginError PLUGIN_STATE_DAMAGED
 */
export async function inspectPlugins(sources: PluginSources): Promise<PluginInspection> {
  const { records, notes } = await findPlugins(sources);
  await readUis(records);
  return { plugins: records.map(reportOf), notes };
}
