import type { PluginReport } from '@gantry/contracts';
import type { CompiledPlugins } from '@gantry/host';
import type { HostConfig } from '@gantry/host/config';
import type { CommandContext } from '../context/command-context';
import { counted } from '../terminal/table';
import { withPlugins } from '../context/with-content';
import { fail, failedWith, ok, warn, type Check } from './check';

export interface CheckedPlugins {
  readonly checks: readonly Check[];
  /** The statements that the plugins need in the database; undefined where they cannot be loaded. */
  readonly schemas: CompiledPlugins['schemas'] | undefined;
}

/** Loads every plugin and compiles its types, as a start does. A process can do that only once: models change when they are compiled. */
export async function checkPlugins(context: CommandContext, config: HostConfig): Promise<CheckedPlugins> {
  try {
    return await withPlugins(context, config, ({ registry, schemas }) =>
      Promise.resolve({ checks: judge(registry.reports(), config), schemas }),
    );
  } catch (error) {
    return { checks: [failedWith('Plugins', error, 'See the list: gantry plugins list')], schemas: undefined };
  }
}

function judge(reports: readonly PluginReport[], { pluginPath }: HostConfig): readonly Check[] {
  if (reports.length === 0) {
    return [
      warn(
        'Plugins',
        `No plugin was found in ${pluginPath.join(', ')}.`,
        'Run the command in the folder of the project, or name the folder in GANTRY_PROJECT.',
      ),
    ];
  }
  const broken = reports.filter(({ state }) => state === 'incompatible' || state === 'blocked' || state === 'failed');
  const disabled = reports.filter(({ state }) => state === 'disabled');
  const sound = reports.length - broken.length - disabled.length;
  const leftOut =
    disabled.length === 0 ? '' : `, ${disabled.length} disabled: ${disabled.map(({ id }) => id).join(', ')}`;
  return [
    ok('Plugins', `${counted(sound, 'plugin')} can be used${leftOut}`),
    ...broken.flatMap(({ id, problems }) =>
      problems.map(({ reason, remedy }) => fail('Plugins', `${id}: ${reason}`, remedy)),
    ),
  ];
}
