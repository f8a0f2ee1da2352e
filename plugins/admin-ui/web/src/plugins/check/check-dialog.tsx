import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import type { PluginCheckReport, PluginReport } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../ui/dialog';
import { ErrorState } from '../../ui/states';
import { CheckReport } from './check-report';
import { checkPlugin } from '../plugin-api';
import type { PluginChanging } from '../change/use-plugin-change';

export interface CheckDialogProps {
  readonly plugin: PluginReport;
  /** Whether the plugin is to be enabled when no problems were found. */
  readonly mayEnable: boolean;
  readonly opened: boolean;
  readonly changing: PluginChanging;
  onClose(): void;
  /** Called when the change has been asked for. */
  onChanged(): void;
}

/** Proves a plugin safe, shows what was found, and enables it if that is wanted. */
export function CheckDialog({ plugin, mayEnable, opened, changing, onClose, onChanged }: CheckDialogProps) {
  const check = useQuery({
    queryKey: ['plugin-check', plugin.id],
    queryFn: ({ signal }) => checkPlugin(plugin.id, signal),
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { enable } = changing;
  const offer = mayEnable ? 'Enable' : isOther(check.data, plugin) ? 'Enable the changed files' : undefined;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      size="lg"
      title={mayEnable ? `Enable ${plugin.displayName}?` : `Check of ${plugin.displayName}`}
    >
      <Stack gap="sm">
        {check.isFetching ? (
          <Group gap="sm" role="status">
            <Loader size="sm" />
            <Text size="sm">The plugin is loaded and checked in a separate process …</Text>
          </Group>
        ) : null}
        {check.error === null ? null : <ErrorState error={check.error} title="The check could not be run" />}
        {check.data === undefined || check.isFetching ? null : <CheckReport report={check.data} plugin={plugin} />}
        {enable.error === null ? null : <ErrorState error={enable.error} title="Not enabled" once />}
        <Group justify="flex-end" className="dialog-foot">
          <Button variant="default" onClick={onClose} data-autofocus>
            {mayEnable ? 'Cancel' : 'Close'}
          </Button>
          <Button variant="default" disabled={check.isFetching} onClick={() => void check.refetch()}>
            Check again
          </Button>
          {offer === undefined ? null : (
            <Button
              disabled={check.isFetching || check.data === undefined || check.data.outcome === 'problem'}
              loading={enable.isPending}
              onClick={() => enable.mutate(plugin.id, { onSuccess: onChanged })}
            >
              {offer}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Whether the files on disk are others than those of the plugin that runs. */
function isOther(report: PluginCheckReport | undefined, { version }: PluginReport): boolean {
  if (report === undefined) return false;
  return report.version !== version || report.lines.some((line) => line.part === 'integrity' && line.outcome !== 'ok');
}
