import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { setPassword } from './account-api';
import { focusFirst } from './focus-first';
import { FactorError, SecondFactorFields } from './second-factor-fields';
import { SingleCard } from './single-card';
import { useSecondFactor } from './use-second-factor';

/** Opened from a one-time link. The secret is behind the `#`, which browsers send to no server. */
export function SetPasswordPage() {
  const [secret] = useState(() => location.hash.slice(1));
  const [password, setText] = useState('');
  const [repeated, setRepeated] = useState('');
  const factor = useSecondFactor(async (proof) => {
    await setPassword(secret, password, proof);
    location.replace('/admin/');
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (password === repeated) void factor.submit();
    else factor.refuse('The two passwords are not the same.');
  };
  return (
    <SingleCard title="Set a password">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text c="dimmed" size="sm">
            At least 8 characters. A few unrelated words work best.
          </Text>
          <FactorError factor={factor} />
          <NewPassword label="New password" value={password} onChange={setText} isFirst />
          <NewPassword label="Repeat the new password" value={repeated} onChange={setRepeated} />
          <SecondFactorFields factor={factor} />
          <Button type="submit" loading={factor.isSending}>
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
