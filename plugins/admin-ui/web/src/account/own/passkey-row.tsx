import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Dialog } from '../../ui/dialog';
import { RecentTime } from '../../ui/time/relative-time';
import { Failure } from '../../ui/failure';
import { removePasskey, renamePasskey, type Passkey } from './passkeys-api';
import { PasswordQuestion } from '../sign-in/password-question';

interface PasskeyRowProps {
  readonly passkey: Passkey;
  /** Milliseconds; what times are relative to. */
  readonly loadedAt: number;
  onRenamed(): Promise<void>;
  onRemoved(): Promise<void>;
}

/** A passkey of the reader, with what can be done with it. */
export function PasskeyRow({ passkey, loadedAt, onRenamed, onRemoved }: PasskeyRowProps) {
  const [opened, setOpened] = useState<'rename' | 'remove'>();
  const close = (): void => setOpened(undefined);
  const { name, host, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <div>
        <span className="account-name">{name}</span>
        <span className="row-note">
          {host} · added {createdAt.slice(0, 10)} ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <RecentTime value={lastUsedAt} now={loadedAt} />
            </>
          )}
        </span>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setOpened('rename')} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpened('remove')} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </Group>
      <Dialog opened={opened === 'rename'} onClose={close} title="Rename the passkey">
        <RenamePasskey passkey={passkey} onChanged={onRenamed} onDone={close} />
      </Dialog>
      <Dialog opened={opened === 'remove'} onClose={close} title={`Remove ${name}`}>
        <RemovePasskey passkey={passkey} onChanged={onRemoved} onDone={close} />
      </Dialog>
    </li>
  );
}

interface ChangeProps {
  readonly passkey: Passkey;
  onChanged(): Promise<void>;
  onDone(): void;
}

function RenamePasskey({ passkey, onChanged, onDone }: ChangeProps) {
  const [name, setName] = useState(passkey.name);
  const rename = useMutation({
    mutationFn: () => renamePasskey(passkey.id, name),
    onSuccess: () => {
      onDone();
      return onChanged();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Failure error={rename.error} />
        <TextInput
          label="Name"
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RemovePasskey({ passkey, onChanged, onDone }: ChangeProps) {
  const remove = useMutation({
    mutationFn: (password: string) => removePasskey(passkey.id, password),
    onSuccess: () => {
      onDone();
      return onChanged();
    },
  });
  return (
    <Stack>
      <Text size="sm">
        The sign-in no longer accepts it. The recovery codes are removed with the last second factor.
      </Text>
      <PasswordQuestion
        action="Remove"
        isSending={remove.isPending}
        error={remove.error}
        onPassword={(password) => remove.mutate(password)}
      />
    </Stack>
  );
}
