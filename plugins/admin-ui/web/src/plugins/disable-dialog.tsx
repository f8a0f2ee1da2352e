import { Button, Group, List, Stack, Text } from '@mantine/core';
import type { PluginReport } from '@gantry/contracts';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/states';
import type { PluginChanging } from './change/use-plugin-change';

export interface DisableDialogProps {
  readonly plugin: PluginReport;
  readonly plugins: readonly PluginReport[];
  readonly opened: boolean;
  readonly changing: PluginChanging;
  onClose(): void;
  /** Called when the change has been asked for. */
  onChanged(): void;
}

/** The plugin of these pages. */
const ownId = 'admin-ui';

/** Asks before a plugin is disabled, and names what goes with it and what stays. */
export function DisableDialog({ plugin, plugins, opened, changing, onClose, onChanged }: DisableDialogProps) {
  const dependents = dependentsOf(plugin.id, plugins);
  const all = [plugin, ...dependents];
  const types = all.flatMap(({ contributes }) => contributes.itemTypes);
  const { disable } = changing;
  return (
    <Dialog opened={opened} onClose={onClose} title={`Disable ${plugin.displayName}?`}>
      <Stack gap="sm">
        {dependents.length === 0 ? null : (
          <div>
            <Text size="sm">These plugins depend on it and are disabled as well:</Text>
            <List size="sm">
              {dependents.map(({ id, displayName }) => (
                <List.Item key={id}>{displayName}</List.Item>
              ))}
            </List>
          </div>
        )}
        {types.length === 0 ? null : (
          <Text size="sm">
            Its item types have no pages and no REST endpoints until it is enabled again: {types.join(', ')}.
          </Text>
        )}
        <Text size="sm">
          <b>All data are kept</b> and are available again when the plugin is enabled.
        </Text>
        {all.some(({ id }) => id === ownId) ? (
          <Text size="sm" c="red" fw={600}>
            These pages are part of the plugin. To enable it again: gantry plugins enable {ownId}
          </Text>
        ) : null}
        {disable.error === null ? null : <ErrorState error={disable.error} title="Not disabled" once />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            loading={disable.isPending}
            onClick={() =>
              disable.mutate({ id: plugin.id, dependents: dependents.length > 0 }, { onSuccess: onChanged })
            }
          >
            {dependents.length === 0 ? 'Disable' : `Disable all ${all.length}`}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Plugins in use that need it, directly or by others. */
function dependentsOf(id: string, plugins: readonly PluginReport[]): readonly PluginReport[] {
  const found: PluginReport[] = [];
  const ids = new Set([id]);
  // Grows while it is walked.
  for (const needed of ids) {
    for (const plugin of plugins) {
      if (plugin.state === 'disabled' || ids.has(plugin.id) || !Object.hasOwn(plugin.dependsOn, needed)) continue;
      ids.add(plugin.id);
      found.push(plugin);
    }
  }
  return found;
}
