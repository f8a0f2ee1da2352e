import '../account.css';
import './roles.css';
import { Button, Stack } from '@mantine/core';
import type { Role } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { isReaderAdministrator } from '../../api/platform/initial-data';
import { DataTable } from '../../ui/data-table';
import { PlusIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { ErrorState, LoadingState } from '../../ui/states';
import { DeleteDialog } from '../../ui/delete-dialog';
import { RightsCheck } from './rights-check';
import { deleteRole, publicRole, rolesQuery } from './role-api';

/** List of roles. */
export function RolesPage() {
  const roles = useQuery(rolesQuery);
  const client = useQueryClient();
  const [asked, setAsked] = useState<string>();
  return (
    <>
      <PageHeader
        title="Roles"
        status={roles.data === undefined ? null : <span className="page-total">{roles.data.length}</span>}
        description="A user has the rights of all their roles."
        actions={
          isReaderAdministrator ? (
            <LinkButton to="/roles/new" leftSection={<PlusIcon size={16} />}>
              New role
            </LinkButton>
          ) : undefined
        }
      />
      {roles.error === null ? null : <ErrorState error={roles.error} title="The roles could not be loaded" />}
      {roles.isPending ? <LoadingState rows={4} /> : null}
      {roles.data === undefined ? null : (
        <Stack>
          <RoleTable roles={roles.data} onDelete={setAsked} />
          <RightsCheck />
        </Stack>
      )}
      <DeleteDialog
        opened={asked !== undefined}
        title={`Delete the role ${roles.data?.find(({ name }) => name === asked)?.displayName || asked}?`}
        onDelete={async () => {
          if (asked !== undefined) await deleteRole(asked);
          await client.invalidateQueries({ queryKey: rolesQuery.queryKey });
        }}
        onClose={() => setAsked(undefined)}
      >
        A role can be deleted only while no user has it.
      </DeleteDialog>
    </>
  );
}

interface RoleTableProps {
  readonly roles: readonly Role[];
  onDelete(name: string): void;
}

function RoleTable({ roles, onDelete }: RoleTableProps) {
  return (
    <DataTable
      label="Roles"
      className="role-list"
      rows={roles}
      rowKey={({ name }) => name}
      columns={[
        {
          title: 'Role',
          isRowHeader: true,
          cell: ({ name, displayName }) => (
            <>
              <Link to={`/roles/${name}`} className="row-name">
                {displayName || name}
              </Link>
              <span className="row-note">{name}</span>
            </>
          ),
        },
        {
          title: 'Description',
          className: 'role-description',
          hint: ({ description }) => description,
          cell: ({ description }) => description,
        },
        {
          title: isReaderAdministrator ? 'Actions' : 'Kind',
          align: 'end',
          cell: ({ name, isBuiltIn, grants }) =>
            isBuiltIn || (name === publicRole && grants.length === 0) ? (
              <span className="tag">Built in</span>
            ) : !isReaderAdministrator ? null : (
              <Button
                size="xs"
                variant="default"
                className="quiet-danger"
                onClick={() => onDelete(name)}
                aria-label={`Delete ${name}`}
              >
                Delete
              </Button>
            ),
        },
      ]}
    />
  );
}
