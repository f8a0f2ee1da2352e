import type { OptionColor, PluginReport, PluginState } from '@gantry/contracts';
import { StateMark } from '../ui/state-mark';
import { stateText } from './plugin-list';

const colours: Readonly<Record<PluginState, OptionColor>> = {
  started: 'green',
  stopped: 'gray',
  disabled: 'gray',
  blocked: 'yellow',
  incompatible: 'red',
  failed: 'red',
};

export function PluginStateBadge({ plugin }: { readonly plugin: PluginReport }) {
  return <StateMark color={colours[plugin.state]}>{stateText(plugin)}</StateMark>;
}
