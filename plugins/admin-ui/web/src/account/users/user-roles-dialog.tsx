import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { updateUser, type User } from '../account-api';
import { Failure } from '../../ui/failure';
import { RoleChoice } from './role-choice';

interface UserRolesDialogProps {
  readonly user: User | undefined;
  onClose(): void;
  onChanged(): void;
}

export function UserRolesDialog({ user, onClose, onChanged }: UserRolesDialogProps) {
  const [roles, setRoles] = useState<readonly string[]>(user?.roles ?? []);
  const save = useMutation({
    mutationFn: (id: string) => updateUser(id, { roles }),
    onSuccess: () => {
      onChanged();
      onClose();
    },
  });
  return (
    <Dialog opened={user !== undefined} onClose={onClose} title={`Roles of ${user?.login ?? ''}`}>
      <Stack>
        <Failure error={save.error} />
        <RoleChoice value={roles} onChange={setRoles} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={() => user && save.mutate(user.id)}>
            Save
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
