import { Checkbox, Stack, Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteDialog } from '../../ui/delete-dialog';
import { Failure } from '../../ui/failure';
import { deleteUser, readRemaining, type User } from '../account-api';
import { CreatedList, hasCreated, hasRemaining, RemainingList } from './remaining-access';

interface DeleteUserDialogProps {
  readonly user: User | undefined;
  onDeleted(): void;
  onClose(): void;
}

/** Asks before a user is deleted, and names the access that remains without the user. */
export function DeleteUserDialog({ user, onDeleted, onClose }: DeleteUserDialogProps) {
  const [deleteWebhooks, setDeleteWebhooks] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['users', user?.id, 'remaining'],
    queryFn: user === undefined ? skipToken : ({ signal }) => readRemaining(user.id, signal),
  });
  // The API tokens of the user end with it.
  const remaining = data === undefined ? undefined : { ...data, tokens: [] };
  return (
    <DeleteDialog
      opened={user !== undefined}
      title={`Delete ${user?.login ?? ''}?`}
      onDelete={async () => {
        if (user !== undefined) await deleteUser(user.id, deleteWebhooks);
        onDeleted();
      }}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">The sessions and API tokens of the user end. What the user has changed is kept.</Text>
        <Failure error={error} />
        {remaining !== undefined && hasRemaining(remaining) ? (
          <>
            <Text size="sm" fw={600}>
              This access remains:
            </Text>
            <RemainingList remaining={remaining} />
          </>
        ) : null}
        {remaining !== undefined && hasCreated(remaining) ? (
          <>
            <Text size="sm" fw={600}>
              Created by the user for others, and kept:
            </Text>
            <CreatedList remaining={remaining} />
          </>
        ) : null}
        {remaining !== undefined && hasRemaining(remaining) ? (
          <Checkbox
            label="Delete the webhooks that the user has created"
            checked={deleteWebhooks}
            onChange={(event) => setDeleteWebhooks(event.currentTarget.checked)}
          />
        ) : null}
      </Stack>
    </DeleteDialog>
  );
}
