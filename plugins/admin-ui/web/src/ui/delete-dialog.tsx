import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog';
import { Failure } from './failure';

interface DeleteDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Effects on dependent things. */
  readonly children: ReactNode;
  onDelete(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something is deleted, and says why it was not. */
export function DeleteDialog({ opened, title, children, onDelete, onClose }: DeleteDialogProps) {
  const remove = useMutation({ mutationFn: onDelete, onSuccess: onClose });
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Stack>
        <Failure error={remove.error} />
        <div>{children}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
