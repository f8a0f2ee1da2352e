import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../api/api-error';
import { setPassword } from './account-api';
import { CodeField } from './code-field';
import { focusFirst } from './focus-first';
import { SingleCard } from './single-card';
import { useSecondFactor } from './use-second-factor';

/** Opened from a one-time link. The secret is behind the `#`, which browsers send to no server. */
export function SetPasswordPage() {
  const [secret] = useState(() => location.hash.slice(1));
  const [password, setText] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isSending, setSending] = useState(false);
  const factor = useSecondFactor();
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (password !== repeated) {
      setError('The two passwords are not the same.');
      return;
    }
    setSending(true);
    setError(undefined);
    try {
      await setPassword(secret, password, factor.given);
      location.replace('/admin/');
    } catch (failure) {
      if (!factor.ask(failure)) setError(messageOf(failure));
      setSending(false);
    }
  };
  return (
    <SingleCard title="Set a password">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Text c="dimmed" size="sm">
            At least 8 characters; a few words that only you would put together are better than a short one with signs.
          </Text>
          {error === undefined ? null : (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          )}
          <NewPassword label="New password" value={password} onChange={setText} isFirst />
          <NewPassword label="Repeat the new password" value={repeated} onChange={setRepeated} />
          <CodeField factor={factor} />
          <Button type="submit" loading={isSending}>
            Set the password
          </Button>
        </Stack>
      </form>
    </SingleCard>
  );
}

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly isFirst?: boolean;
  onChange(value: string): void;
}

/** A password that a password manager may suggest. */
export function NewPassword({ label, value, isFirst = false, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      autoComplete="new-password"
      {...(isFirst ? { ref: focusFirst } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
    />
  );
}
