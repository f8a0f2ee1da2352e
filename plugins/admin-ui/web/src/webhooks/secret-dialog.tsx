import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Failure } from '../ui/failure';
import { CopyIcon } from '../ui/icons';
import { useControl } from './use-control';
import { rotateSecret } from './webhook-api';

/** Shows the secret of a new webhook, once. Closed without. */
export function SecretDialog({ secret, onClose }: { readonly secret: string | undefined; onClose(): void }) {
  return (
    <Dialog
      opened={secret !== undefined}
      onClose={onClose}
      closeOnClickOutside={false}
      size="lg"
      title="The webhook is created"
    >
      {secret === undefined ? null : <ShownSecret secret={secret} onClose={onClose} />}
    </Dialog>
  );
}

export interface RotateDialogProps {
  readonly id: string;
  readonly opened: boolean;
  onClose(): void;
}

/** Makes another secret and shows it, once. */
export function RotateDialog({ id, opened, onClose }: RotateDialogProps) {
  const control = useControl(() => rotateSecret(id));
  const close = (): void => {
    control.reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      closeOnClickOutside={control.data === undefined}
      size="lg"
      title="New secret"
    >
      {control.data === undefined ? (
        <Stack>
          <Failure error={control.error} />
          <Text size="sm">
            Requests are signed with both secrets for a day. Change the receiver within this time: afterwards, only the
            new one is valid. An earlier secret that is still in use ends at once.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={control.isPending} onClick={() => control.run(undefined)}>
              Create a new secret
            </Button>
          </Group>
        </Stack>
      ) : (
        <ShownSecret secret={control.data.secret} onClose={close} />
      )}
    </Dialog>
  );
}

function ShownSecret({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Browsers refuse it on addresses that are not secure; the text can still be selected.
    await navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <Stack>
      <Alert
        color="green"
        role="status"
        title="The secret is shown once. Store it in the receiver, which verifies requests with it."
      >
        <Code className="webhook-secret">{secret}</Code>
      </Alert>
      <Group justify="flex-end">
        {isCopyPossible ? (
          <Button variant="default" leftSection={<CopyIcon size={16} />} onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
        ) : null}
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}

const isCopyPossible = 'clipboard' in navigator;
