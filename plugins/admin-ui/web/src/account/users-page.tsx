import { Badge, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { pageCaller } from '../api/initial-data';
import { DataTable } from '../ui/data-table';
import { Dialog } from '../ui/dialog';
import { PlusIcon } from '../ui/icons';
import { PageHeader } from '../ui/page';
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

function UserTable({ users, onRoles, onReset, onToggle, onDelete }: UserTableProps) {
  const mayGive = useMayGive();
  return (
    <DataTable
      label="Users"
      empty="No users yet"
      rows={users}
      rowKey={({ id }) => id}
      columns={[
        { title: 'Login', isRowHeader: true, cell: ({ login }) => login },
        { title: 'Name', cell: ({ displayName }) => displayName },
        { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { title: 'State', cell: (user) => <StateBadge user={user} /> },
        {
          title: 'Actions',
          cell: (user) =>
            mayGive(user.roles) ? (
              <Group gap="xs" wrap="nowrap">
                <Action label={`Roles of ${user.login}`} text="Roles" onClick={() => onRoles(user)} />
                {canBeReset(user) ? (
                  <Action
                    label={`Reset password of ${user.login}`}
                    text="Reset password"
                    onClick={() => onReset(user)}
                  />
                ) : null}
                <Action
                  label={`${user.isEnabled ? 'Disable' : 'Enable'} ${user.login}`}
                  text={user.isEnabled ? 'Disable' : 'Enable'}
                  onClick={() => onToggle(user)}
                />
                <Action label={`Delete ${user.login}`} text="Delete" onClick={() => onDelete(user)} />
              </Group>
            ) : null,
        },
      ]}
    />
  );
}

interface ActionProps {
  readonly label: string;
  readonly text: string;
  onClick(): void;
}

function Action({ label, text, onClick }: ActionProps) {
  return (
    <Button size="compact-xs" variant="default" onClick={onClick} aria-label={label}>
      {text}
    </Button>
  );
}

/** The reader changes the own password on the page of the account. */
function canBeReset({ id, kind, isEnabled, hasPassword, identityProvider }: User): boolean {
  return kind === 'person' && isEnabled && (hasPassword || identityProvider === null) && id !== pageCaller?.id;
}

function StateBadge({ user }: { readonly user: User }) {
  const [colour, text] = stateOf(user);
  return (
    <Badge color={colour} variant="light" tt="none">
      {text}
    </Badge>
  );
}

function stateOf({ isEnabled, kind, hasPassword, identityProvider }: User): readonly [colour: string, text: string] {
  if (!isEnabled) return ['gray', 'Disabled'];
  if (kind === 'service') return ['blue', 'Service account'];
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
