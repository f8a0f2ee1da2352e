import { Anchor, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { obstacleTo } from '../sign-in/browser-passkeys';
import { Failure } from '../../ui/failure';

export interface NewPasskey {
  readonly name: string;
  readonly password: string;
}

interface AddPasskeyProps {
  readonly origin: string | null;
  readonly isSending: boolean;
  readonly error: Error | null;
  onAdd(passkey: NewPasskey): void;
}

/** Sets up a passkey, or says why that is not possible here. */
export function AddPasskey({ origin, isSending, error, onAdd }: AddPasskeyProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const obstacle =
    origin === null
      ? 'Passkeys need a host name and https. Ask an administrator to set GANTRY_PUBLIC_URL.'
      : obstacleTo(origin);
  if (obstacle !== undefined) {
    return (
      <Text size="sm">
        {obstacle}{' '}
        {origin === null || origin === location.origin ? null : (
          <Anchor href={`${origin}/admin/account`}>Open this page there</Anchor>
        )}
      </Text>
    );
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onAdd({ name: name.trim(), password });
    setPassword('');
  };
  return (
    <form onSubmit={submit}>
      <Failure error={error} />
      <Group align="flex-end">
        <TextInput
          label="Name of the passkey"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          w={240}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show: Your password' }}
        />
        <Button type="submit" variant="default" loading={isSending}>
          Add a passkey
        </Button>
      </Group>
    </form>
  );
}
