import { Badge } from '@mantine/core';
import type { PluginReport, PluginState } from '@gantry/contracts';
import { stateText } from './plugin-list';

const colours: Readonly<Record<PluginState, string>> = {
  started: 'green',
  stopped: 'gray',
  disabled: 'gray',
  blocked: 'yellow',
  incompatible: 'red',
  failed: 'red',
};

export function PluginStateBadge({ plugin }: { readonly plugin: PluginReport }) {
  return (
    <Badge color={colours[plugin.state]} variant="light" tt="none">
      {stateText(plugin)}
    </Badge>
  );
}
