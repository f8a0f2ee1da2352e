import '../account.css';
import './roles.css';
import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { itemActions, type Role } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { isReaderAdministrator, mayReader } from '../../api/platform/initial-data';
import { UnsavedScope, useUnsaved } from '../../content/form/unsaved-guard';
import { Breadcrumb } from '../../ui/page/breadcrumb';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { Surface } from '../../ui/surface';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { Failure } from '../../ui/failure';
import { GrantMatrix } from './grant-matrix';
import { hasSeveralGrantsOnATarget } from './grants';
import { PermissionList } from './permission-list';
import { createRole, publicRole, replaceRole, rolesQuery, viewAs, type RoleDraft } from './role-api';
import { initialsOf } from '../../ui/text/initials';
import { usersQuery } from '../account-api';

/** Who has a role, for those who manage users. */
function RolePeople({ role }: { readonly role: string }) {
  const { data: users } = useQuery({ ...usersQuery, enabled: mayReader('users.manage') });
  const people = users?.filter(({ roles }) => roles.includes(role));
  if (people === undefined) return null;
  return (
    <Surface title="Users" aside={<span className="page-total">{people.length}</span>}>
      {people.length === 0 ? (
        <span className="row-note">Nobody has this role.</span>
      ) : (
        <ul className="role-people">
          {people.slice(0, maxPeople).map(({ id, displayName, login }) => (
            <li key={id} title={login}>
              <span className="avatar" aria-hidden="true">
                {initialsOf(displayName)}
              </span>
              <span className="clipped">{displayName}</span>
            </li>
          ))}
          {people.length > maxPeople ? <li className="row-note">and {people.length - maxPeople} more</li> : null}
        </ul>
      )}
    </Surface>
  );
}

const maxPeople = 8;

const emptyRole: Role = { name: '', displayName: '', description: '', grants: [], permissions: [], isBuiltIn: false };

/** Page of a role. */
export function RolePage() {
  const { name = '' } = useParams();
  const roles = useQuery(rolesQuery);
  if (roles.data === undefined) {
    return roles.error === null ? (
      <LoadingState rows={8} />
    ) : (
      <ErrorState error={roles.error} title="The roles could not be loaded" onRetry={() => void roles.refetch()} />
    );
  }
  const role = name === 'new' ? emptyRole : roles.data.find((candidate) => candidate.name === name);
  if (role === undefined) return <EmptyState title="Role not found">There is no role {name}.</EmptyState>;
  return <RoleForm key={name} role={role} isNew={name === 'new'} />;
}

const builtInText = 'This role is built in and cannot be changed.';
const severalGrantsText =
  'This role has several grants on one type, with fields or items that differ by action. Change it with gantry roles export and import.';

const administratorsText =
  'Only administrators can change roles. Types, fields and conditions that you cannot read are left out.';

/** Why the role cannot be changed here. */
function lockOf({ isBuiltIn, grants }: Role): string | undefined {
  if (isBuiltIn) return builtInText;
  if (!isReaderAdministrator) return administratorsText;
  return hasSeveralGrantsOnATarget(grants) ? severalGrantsText : undefined;
}

function RoleForm({ role, isNew }: { readonly role: Role; readonly isNew: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { isBuiltIn: _isBuiltIn, ...stored } = role;
  const [draft, setDraft] = useState<RoleDraft>(stored);
  const isSaved = useRef(false);
  const set = (change: Partial<RoleDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const save = useMutation({
    mutationFn: () => (isNew ? createRole(draft) : replaceRole(draft)),
    onSuccess: async () => {
      isSaved.current = true;
      await client.invalidateQueries({ queryKey: rolesQuery.queryKey });
      await navigate('/roles');
    },
  });
  const isPublic = role.name === publicRole;
  const isAdministrator = role.name === 'administrator';
  const lock = lockOf(role);
  const isReadOnly = lock !== undefined;
  const view = useMutation({ mutationFn: (name: string) => viewAs(name) });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  return (
    <UnsavedScope text="The changes of this role are not saved and would be lost.">
      <UnsavedDraft isUnsaved={() => isChanged && !isSaved.current} now={isChanged} />
      <form onSubmit={submit} noValidate>
        <PageHeader
          title={isNew ? 'New role' : role.displayName}
          breadcrumb={<Breadcrumb links={[{ to: '/roles', text: 'Roles' }]} />}
          status={<span className="row-note only-wide">{role.isBuiltIn ? builtInText : role.name}</span>}
          description={isReadOnly ? role.description : undefined}
          actions={
            <>
              {isReadOnly ? null : (
                <LinkButton to="/roles" variant="default">
                  Cancel
                </LinkButton>
              )}
              {isNew || isAdministrator || !isReaderAdministrator ? null : (
                <Button variant="default" loading={view.isPending} onClick={() => view.mutate(role.name)}>
                  View the pages as this role
                </Button>
              )}
              {isReadOnly ? null : (
                <Button type="submit" loading={save.isPending}>
                  Save
                </Button>
              )}
            </>
          }
        />
        <Failure error={save.error ?? view.error} />
        {isReadOnly && lock !== builtInText ? (
          <Alert color="gray" mb="md">
            {lock}
          </Alert>
        ) : null}
        <div className="with-rail">
          <Stack>
            {isReadOnly ? null : <RoleNames draft={draft} isNew={isNew} onChange={set} />}
            {isAdministrator ? null : (
              <GrantMatrix
                grants={draft.grants}
                isReadOnly={isReadOnly}
                actions={isPublic ? ['read'] : itemActions}
                onChange={(grants) => set({ grants })}
              />
            )}
          </Stack>
          <Stack>
            {isAdministrator || isPublic ? null : (
              <PermissionList
                role={role.name}
                chosen={draft.permissions}
                isReadOnly={isReadOnly}
                onChange={(permissions) => set({ permissions })}
              />
            )}
            {isNew ? null : <RolePeople role={role.name} />}
          </Stack>
        </div>
      </form>
    </UnsavedScope>
  );
}

function UnsavedDraft({ isUnsaved, now }: { readonly now: boolean; isUnsaved(): boolean }) {
  useUnsaved(0, isUnsaved, now);
  return null;
}

interface RoleNamesProps {
  readonly draft: RoleDraft;
  readonly isNew: boolean;
  onChange(change: Partial<RoleDraft>): void;
}

function RoleNames({ draft, isNew, onChange }: RoleNamesProps) {
  return (
    <Surface label="Name and description">
      <Stack>
        <Group align="start" grow>
          {isNew ? (
            <TextInput
              label="Name"
              description="For commands and files, such as price-editor"
              value={draft.name}
              data-autofocus
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
          ) : null}
          <TextInput
            label="Display name"
            description={isNew ? 'For people, such as Price editor' : undefined}
            value={draft.displayName}
            onChange={(event) => onChange({ displayName: event.currentTarget.value })}
          />
        </Group>
        <Textarea
          label="Description"
          autosize
          value={draft.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </Stack>
    </Surface>
  );
}
