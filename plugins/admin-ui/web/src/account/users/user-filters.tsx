import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { SearchIcon } from '../../ui/icons';
import { LinkTabs } from '../../ui/page/link-tabs';
import type { User } from '../account-api';
import {
  formatUserListState,
  isInTab,
  parseUserListState,
  userTabs,
  type UserListState,
  type UserTab,
} from './user-list';

const tabLabels: Readonly<Record<UserTab, string>> = {
  all: 'All',
  pending: 'No password yet',
  services: 'Service accounts',
  disabled: 'Disabled',
};

/** State of the list of users, and a function that changes it; typing makes no entry in the history. */
export function useUserList() {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const state = parseUserListState(parameters);
  const addressOf = (part: Partial<UserListState>): string => formatUserListState({ ...state, ...part });
  return {
    state,
    addressOf,
    filter: (part: Partial<UserListState>) => void navigate(addressOf(part), { replace: true }),
  };
}

interface UserFiltersProps {
  readonly users: readonly User[];
  readonly list: ReturnType<typeof useUserList>;
}

export function UserFilters({ users, list }: UserFiltersProps) {
  const { state, addressOf, filter } = list;
  const roles = [...new Set(users.flatMap((user) => user.roles))].toSorted();
  const tabs = userTabs.map((tab) => ({
    key: tab,
    label: tabLabels[tab],
    to: addressOf({ tab }),
    isOpen: tab === state.tab,
    count: users.filter((user) => isInTab(user, tab)).length.toLocaleString(),
  }));
  return (
    <>
      <LinkTabs label="Users by state" tabs={tabs} />
      <div className="user-filters">
        <TextInput
          type="search"
          aria-label="Filter users"
          placeholder="Name, email address or role"
          leftSection={<SearchIcon size={16} />}
          value={state.text}
          onChange={(event) => filter({ text: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label="Role"
          data={[{ value: '', label: 'Any role' }, ...roles]}
          value={state.role}
          onChange={(event) => filter({ role: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
