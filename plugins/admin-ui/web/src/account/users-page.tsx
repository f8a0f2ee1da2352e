import './account.css';
import type { OptionColor } from '@gantry/contracts';
import { Button, Checkbox, Group, Menu, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { pageCaller } from '../api/initial-data';
import { DataTable } from '../ui/data-table';
import { Dialog } from '../ui/dialog';
import { MoreIcon, PlusIcon } from '../ui/icons';
import { initialsOf } from '../ui/initials';
import { IconButton } from '../ui/link-button';
import { PageHeader } from '../ui/page';
import { StateMark } from '../ui/state-mark';
import { ErrorState, LoadingState } from '../ui/states';
import { createUser, updateUser, usersQuery, type NewUser, type User } from './account-api';
import { DeleteUserDialog } from './delete-user-dialog';
import { Failure } from '../ui/failure';
import { ResetPasswordDialog } from './reset-password-dialog';
import { RoleChoice } from './role-choice';
import { Secret } from './secret';
import { useMayGive } from './use-may-give';
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
    <>
      <PageHeader
        title="Users"
        status={users.data === undefined ? null : <span className="page-total">{users.data.length}</span>}
        description="People and service accounts"
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
        <UserTable
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
    </>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  onRoles(user: User): void;
  onReset(user: User): void;
  onToggle(user: User): void;
  onDelete(user: User): void;
}

function UserTable({ users, ...does }: UserTableProps) {
  const mayGive = useMayGive();
  return (
    <DataTable
      label="Users"
      empty="No users yet"
      className="users"
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'User',
          isRowHeader: true,
          hint: ({ login }) => login,
          cell: ({ displayName, login }) => (
            <div className="user">
              <span className="avatar" aria-hidden="true">
                {initialsOf(displayName)}
              </span>
              <div className="user-name">
                <span className="row-name">{displayName}</span>
                {login === displayName ? null : <span className="row-note">{login}</span>}
              </div>
            </div>
          ),
        },
        { title: 'Roles', className: 'roles', cell: ({ roles }) => <UserRoles roles={roles} /> },
        { title: 'State', cell: (user) => <UserState user={user} /> },
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

function stateOf({
  isEnabled,
  kind,
  hasPassword,
  identityProvider,
}: User): readonly [color: OptionColor, text: string] {
  if (!isEnabled) return ['gray', 'Disabled'];
  if (kind === 'service') return ['gray', 'Service account'];
  if (identityProvider !== null && !hasPassword) return ['green', 'Identity provider'];
  return hasPassword ? ['green', 'Enabled'] : ['yellow', 'No password yet'];
}

interface NewUserDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onCreated(): void;
}

function NewUserDialog({ opened, onClose, onCreated }: NewUserDialogProps) {
  const [login, setLogin] = useState('');
  const [name, setName] = useState('');
  const [isService, setService] = useState(false);
  const [roles, setRoles] = useState<readonly string[]>([]);
  const create = useMutation({ mutationFn: (user: NewUser) => createUser(user), onSuccess: onCreated });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    create.mutate({
      kind: isService ? 'service' : 'person',
      login: login.trim(),
      ...(name.trim() === '' ? {} : { displayName: name.trim() }),
      roles,
    });
  };
  const close = (): void => {
    onClose();
    create.reset();
    setLogin('');
    setName('');
    setService(false);
    setRoles([]);
  };
  return (
    <Dialog opened={opened} onClose={close} title="New user">
      {create.isSuccess ? (
        <>
          <Secret
            title={
              create.data === undefined
                ? 'The service account is created.'
                : 'Send this link to the person. It works once, within 15 minutes.'
            }
            text={create.data ?? `gantry tokens create ${login.trim()} --name <name>`}
          />
          <Group justify="flex-end" mt="md">
            <Button onClick={close}>Close</Button>
          </Group>
        </>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <Failure error={create.error} />
            <Checkbox
              label="A service account: a program with API tokens, without a password"
              checked={isService}
              onChange={(event) => setService(event.currentTarget.checked)}
            />
            <TextInput
              label={isService ? 'Name of the service, such as price-import' : 'Email address'}
              value={login}
              data-autofocus
              onChange={(event) => setLogin(event.currentTarget.value)}
            />
            <TextInput label="Display name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <RoleChoice value={roles} onChange={setRoles} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
