import { Anchor, Menu, Popover, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { pageCaller } from '../api/platform/initial-data';
import { OpenLockIcon, SelectorIcon } from '../ui/icons';
import { initialsOf } from '../ui/text/initials';
import { signOut } from './account-api';

/** Who is signed in, with the way to the own account and out; or that the platform is open. */
export function AccountMenu() {
  if (pageCaller === undefined) return null;
  if (pageCaller.kind === 'local') return <OpenPlatform />;
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <button type="button" className="shell-person">
          <span className="avatar" aria-hidden="true">
            {initialsOf(pageCaller.name)}
          </span>
          <span className="visually-hidden">Account of </span>
          <span className="clipped">{pageCaller.name}</span>
          <SelectorIcon size={16} />
        </button>
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
      position="top-start"
      width={260}
      trapFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <button type="button" className="shell-person" onClick={() => setIsOpened((known) => !known)}>
          <OpenLockIcon />
          <span className="clipped">Open on this machine</span>
        </button>
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
