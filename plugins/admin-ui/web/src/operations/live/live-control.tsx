import { Group, UnstyledButton } from '@mantine/core';
import { RefreshIcon } from '../../ui/icons';
import { IconButton } from '../../ui/page/link-button';
import type { Live } from './use-live';

export interface LiveControlProps {
  readonly live: Live;
  onRefresh(): void;
}

/** Pauses the page, or asks once. */
export function LiveControl({ live: { live, setLive }, onRefresh }: LiveControlProps) {
  return (
    <Group gap="xxs" wrap="nowrap">
      <UnstyledButton
        role="switch"
        aria-checked={live}
        className="live-switch"
        title={live ? 'Refreshes automatically' : 'Paused'}
        onClick={() => setLive(!live)}
      >
        <span className="choice-badge" data-color={live ? 'green' : 'gray'}>
          {live ? 'Live' : 'Live off'}
        </span>
      </UnstyledButton>
      <IconButton label="Refresh" size="lg" onClick={onRefresh}>
        <RefreshIcon size={16} />
      </IconButton>
    </Group>
  );
}
