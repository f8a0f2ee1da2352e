import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../ui/failure';
import { icon, MoreIcon, RefreshIcon } from '../ui/icons';
import { useControl } from './use-control';
import { act, type Subscribed, type SubscriptionPath } from './webhook-api';

const PauseIcon = icon(<path d="M8 5v14M16 5v14" />);
const PlayIcon = icon(<path d="M7 4l12 8-12 8z" />);

export interface SubscriptionMenuProps {
  readonly path: SubscriptionPath;
  readonly subscription: Subscribed;
  onReplay(): void;
  /** Entries before and behind those of every subscription. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}

/** Actions on a webhook or a subscription of a plugin, beside its primary action. */
export function SubscriptionMenu({ path, subscription, onReplay, before, children }: SubscriptionMenuProps) {
  const isPaused = subscription.state === 'paused';
  const control = useControl(
    (action: 'pause' | 'resume') => act(path, action),
    ({ state }) => (state === 'paused' ? 'Paused: changes wait' : 'Resumed'),
  );
  const [text, Icon, action] = isPaused
    ? (['Resume', PlayIcon, 'resume'] as const)
    : (['Pause', PauseIcon, 'pause'] as const);
  return (
    <>
      <Failure error={control.error} />
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            title="More"
            aria-label="More"
            loading={control.isPending}
          >
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {before}
          <Menu.Item leftSection={<Icon size={16} />} onClick={() => control.run(action)}>
            {text}
          </Menu.Item>
          <Menu.Item leftSection={<RefreshIcon size={16} />} onClick={onReplay}>
            Replay …
          </Menu.Item>
          {children}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
