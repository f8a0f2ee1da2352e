import { ActionIcon, Menu } from '@mantine/core';
import { Link } from 'react-router-dom';
import { pageCaller } from '../api/initial-data';
import { UserIcon } from '../ui/icons';
import { signOut } from './account-api';

/** Who is signed in, with the way to the own account and out. Absent while the platform is open on its machine. */
export function AccountMenu() {
  if (pageCaller === undefined || pageCaller.kind === 'local') return null;
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
