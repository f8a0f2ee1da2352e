import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { PluginReport } from '@gantry/contracts';
import { Dialog } from '../../ui/dialog';
import { ErrorState } from '../../ui/states';
import type { PackageChanging } from './use-package-change';

export interface UninstallDialogProps {
  readonly plugin: PluginReport;
  readonly opened: boolean;
  readonly changing: PackageChanging;
  onClose(): void;
  /** Called when the change has been asked for. */
  onChanged(): void;
}

/** Asks before the package of a plugin is removed. */
export function UninstallDialog({ plugin, opened, changing, onClose, onChanged }: UninstallDialogProps) {
  const { uninstall } = changing;
  const types = plugin.contributes.itemTypes;
  return (
    <Dialog opened={opened} onClose={onClose} title={`Uninstall ${plugin.displayName}?`}>
      <Stack gap="sm">
        <Text size="sm" className="long-text">
          The package {plugin.packageName} {plugin.version} is removed from the platform
          {plugin.state === 'disabled' ? '' : ', and the plugin is disabled before'}.
        </Text>
        {types.length === 0 ? null : (
          <Text size="sm">Its item types have no pages and no REST endpoints then: {types.join(', ')}.</Text>
        )}
        <Text size="sm">
          <b>All data are kept</b> and are available again when the plugin is installed. To delete them:{' '}
          <Code>gantry plugins purge {plugin.id}</Code>
        </Text>
        {uninstall.error === null ? null : <ErrorState error={uninstall.error} title="Not uninstalled" once />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            loading={uninstall.isPending}
            onClick={() => uninstall.mutate(plugin.id, { onSuccess: onChanged })}
          >
            Uninstall
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
