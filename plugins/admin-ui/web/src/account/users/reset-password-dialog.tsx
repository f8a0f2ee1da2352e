import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { resetPassword, type User } from '../account-api';
import { CreatedList, hasCreated, hasRemaining, RemainingList } from './remaining-access';
import { Secret } from '../secret';

interface ResetPasswordDialogProps {
  readonly user: User | undefined;
  onClose(): void;
}

/** Makes a link with which a person sets another password. */
export function ResetPasswordDialog({ user, onClose }: ResetPasswordDialogProps) {
  const [revokeTokens, setRevokeTokens] = useState(false);
  const [deleteWebhooks, setDeleteWebhooks] = useState(false);
  const reset = useMutation({ mutationFn: (id: string) => resetPassword(id, { revokeTokens, deleteWebhooks }) });
  return (
    <Dialog opened={user !== undefined} onClose={onClose} title={`Reset the password of ${user?.login ?? ''}?`}>
      <Stack>
        <Failure error={reset.error} />
        {reset.data === undefined ? (
          <>
            <Text size="sm">The current password works until the person has set another password.</Text>
            <Checkbox
              label="End the API tokens of the user"
              checked={revokeTokens}
              onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
            />
            <Checkbox
              label="Delete the webhooks that the user has created"
              checked={deleteWebhooks}
              onChange={(event) => setDeleteWebhooks(event.currentTarget.checked)}
            />
          </>
        ) : (
          <>
            <Secret title="Send this link to the person. It works once, within 15 minutes." text={reset.data.link} />
            {hasRemaining(reset.data.remaining) ? (
              <>
                <Text size="sm" fw={600}>
                  This access remains after the password is changed:
                </Text>
                <RemainingList remaining={reset.data.remaining} />
              </>
            ) : null}
            {hasCreated(reset.data.remaining) ? (
              <>
                <Text size="sm" fw={600}>
                  Created by the user for others, and kept:
                </Text>
                <CreatedList remaining={reset.data.remaining} />
              </>
            ) : null}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {reset.data === undefined ? 'Cancel' : 'Close'}
          </Button>
          {reset.data === undefined ? (
            <Button loading={reset.isPending} onClick={() => user && reset.mutate(user.id)}>
              Create a link
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Dialog>
  );
}
