import { Group, Switch } from '@mantine/core';
import { RefreshIcon } from '../../ui/icons';
import { IconButton } from '../../ui/link-button';
import type { Live } from './use-live';

export interface LiveControlProps {
  readonly live: Live;
  onRefresh(): void;
}

/** Pauses the page, or asks once. */
export function LiveControl({ live, onRefresh }: LiveControlProps) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Switch label="Live" checked={live.live} onChange={(event) => live.setLive(event.currentTarget.checked)} />
      <IconButton label="Refresh" size="lg" variant="default" onClick={onRefresh}>
        <RefreshIcon />
      </IconButton>
    </Group>
  );
}
