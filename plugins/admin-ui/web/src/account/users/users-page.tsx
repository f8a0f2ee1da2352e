import '../account.css';
import type { OptionColor } from '@gantry/contracts';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pageCaller } from '../../api/platform/initial-data';
import { DataTable } from '../../ui/data-table';
import { MoreIcon, PlusIcon } from '../../ui/icons';
import { initialsOf } from '../../ui/text/initials';
import { IconButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { StateMark } from '../../ui/state-mark';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { updateUser, usersQuery, type User } from '../account-api';
import { DeleteUserDialog } from './delete-user-dialog';
import { Failure } from '../../ui/failure';
import { ResetPasswordDialog } from './reset-password-dialog';
import { NewUserDialog } from './new-user-dialog';
import { useMayGive } from './use-may-give';
import { UserFilters, useUserList } from './user-filters';
import { isInTab, isPending, matchesFilters } from './user-list';
import { UserRolesDialog } from './user-roles-dialog';

/** Who may sign in, for those who manage users: what they may not do to a user is left out. */
export function UsersPage() {
  const users = useQuery(usersQuery);
  const client = useQueryClient();
  const reload = (): void => void client.invalidateQueries({ queryKey: usersQuery.queryKey });
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<User>();
  const [edited, setEdited] = useState<User>();
  const [reset, setReset] = useState<User>();
  const update = useMutation({
    mutationFn: ({ id, isEnabled }: User) => updateUser(id, { isEnabled: !isEnabled }),
    onSettled: reload,
  });
  return (
    <div className="list-page">
      <PageHeader
        title="Users"
        status={users.data === undefined ? null : <span className="page-total">{users.data.length}</span>}
        actions={
          <Button leftSection={<PlusIcon />} onClick={() => setCreating(true)}>
            New user
          </Button>
        }
      />
      <Failure error={update.error} />
      {users.error === null ? null : <ErrorState error={users.error} title="The users could not be loaded" />}
      {users.isPending ? <LoadingState rows={3} /> : null}
      {users.data === undefined ? null : (
        <UserList
          users={users.data}
          onRoles={setEdited}
          onReset={setReset}
          onToggle={(user) => update.mutate(user)}
          onDelete={setAsked}
        />
      )}
      <NewUserDialog opened={isCreating} onClose={() => setCreating(false)} onCreated={reload} />
      <UserRolesDialog key={edited?.id} user={edited} onClose={() => setEdited(undefined)} onChanged={reload} />
      <ResetPasswordDialog key={`reset ${reset?.id}`} user={reset} onClose={() => setReset(undefined)} />
      <DeleteUserDialog
        key={`delete ${asked?.id}`}
        user={asked}
        onDeleted={reload}
        onClose={() => setAsked(undefined)}
      />
    </div>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  onRoles(user: User): void;
  onReset(user: User): void;
  onToggle(user: User): void;
  onDelete(user: User): void;
}

function UserList({ users, ...does }: UserTableProps) {
  const list = useUserList();
  const shown = users.filter((user) => isInTab(user, list.state.tab) && matchesFilters(user, list.state));
  const clear = (
    <Button variant="default" onClick={() => list.filter({ tab: 'all', text: '', role: '' })}>
      Show all users
    </Button>
  );
  return (
    <>
      <UserFilters users={users} list={list} />
      {shown.length === 0 ? (
        <EmptyState title="No results" action={clear}>
          No user matches the filter.
        </EmptyState>
      ) : (
        <div className="list-body surface">
          <UserTable users={shown} {...does} />
          <div className="list-foot" role="status">
            {shown.length === users.length
              ? `${users.length.toLocaleString()} ${users.length === 1 ? 'user' : 'users'}`
              : `${shown.length.toLocaleString()} of ${users.length.toLocaleString()} users`}
          </div>
        </div>
      )}
    </>
  );
}

function UserTable({ users, ...does }: UserTableProps) {
  const mayGive = useMayGive();
  return (
    <DataTable
      label="Users"
      empty="No users yet"
      className="users card-rows"
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'User',
          isRowHeader: true,
          hint: ({ login }) => login,
          cell: ({ id, displayName, login }) => (
            <div className="user">
              <span className="avatar" aria-hidden="true">
                {initialsOf(displayName)}
              </span>
              <div className="user-name">
                <span className="row-name">
                  {displayName}
                  {id === pageCaller?.id ? <span className="own-user">you</span> : null}
                </span>
                {login === displayName ? null : <span className="row-note">{login}</span>}
              </div>
            </div>
          ),
        },
        { title: 'Roles', className: 'roles', cell: ({ roles }) => <UserRoles roles={roles} /> },
        { title: 'State', className: 'user-state', cell: (user) => <UserState user={user} /> },
        {
          title: 'Actions',
          hidesTitle: true,
          className: 'actions',
          cell: (user) => (mayGive(user.roles) ? <UserMenu user={user} {...does} /> : null),
        },
      ]}
    />
  );
}

function UserRoles({ roles }: { readonly roles: readonly string[] }) {
  return (
    <span className="tags">
      {roles.map((role) => (
        <span key={role} className="tag">
          {role}
        </span>
      ))}
    </span>
  );
}

function UserMenu({
  user,
  onRoles,
  onReset,
  onToggle,
  onDelete,
}: { readonly user: User } & Omit<UserTableProps, 'users'>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton label={`More actions for ${user.login}`}>
          <MoreIcon />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onRoles(user)}>Roles …</Menu.Item>
        {canBeReset(user) ? <Menu.Item onClick={() => onReset(user)}>Reset password …</Menu.Item> : null}
        <Menu.Item onClick={() => onToggle(user)}>{user.isEnabled ? 'Disable' : 'Enable'}</Menu.Item>
        <Menu.Item color="red" onClick={() => onDelete(user)}>
          Delete …
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The reader changes the own password on the page of the account. */
function canBeReset({ id, kind, isEnabled, hasPassword, identityProvider }: User): boolean {
  return kind === 'person' && isEnabled && (hasPassword || identityProvider === null) && id !== pageCaller?.id;
}

function UserState({ user }: { readonly user: User }) {
  const [color, text] = stateOf(user);
  return <StateMark color={color}>{text}</StateMark>;
}

function stateOf(user: User): readonly [color: OptionColor, text: string] {
  const { isEnabled, kind, hasPassword, identityProvider } = user;
  if (!isEnabled) return ['gray', 'Disabled'];
  if (kind === 'service') return ['gray', 'Service account'];
  if (identityProvider !== null && !hasPassword) return ['green', 'Identity provider'];
  return isPending(user) ? ['yellow', 'No password yet'] : ['green', 'Enabled'];
}
