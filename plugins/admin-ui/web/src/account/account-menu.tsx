import { ActionIcon, Anchor, Menu, Popover, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { pageCaller } from '../api/initial-data';
import { OpenLockIcon, UserIcon } from '../ui/icons';
import { signOut } from './account-api';

/** Who is signed in, with the way to the own account and out; or that the platform is open. */
export function AccountMenu() {
  if (pageCaller === undefined) return null;
  if (pageCaller.kind === 'local') return <OpenPlatform />;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Account of ${pageCaller.name}`}>
          <UserIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{pageCaller.name}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          Account
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function OpenPlatform() {
  const [isOpened, setIsOpened] = useState(false);
  return (
    <Popover
      opened={isOpened}
      onChange={setIsOpened}
      position="bottom-end"
      width={260}
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label="Open on this machine"
          onClick={() => setIsOpened((known) => !known)}
        >
          <OpenLockIcon />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" mb="xs">
          No sign-in is required: every program and person on this machine is an administrator.
        </Text>
        <Anchor
          component={Link}
          to="/documentation/security"
          size="sm"
          underline="always"
          onClick={() => setIsOpened(false)}
        >
          How to require sign-in
        </Anchor>
      </Popover.Dropdown>
    </Popover>
  );
}
