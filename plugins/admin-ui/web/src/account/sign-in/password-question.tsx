import { Button, Group, PasswordInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Failure } from '../../ui/failure';

interface PasswordQuestionProps {
  readonly action: string;
  readonly isSending: boolean;
  readonly error: Error | null;
  onPassword(password: string): void;
}

/** Asks for the password before the second factors are changed. */
export function PasswordQuestion({ action, isSending, error, onPassword }: PasswordQuestionProps) {
  const [password, setPassword] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onPassword(password);
    setPassword('');
  };
  return (
    <form onSubmit={submit}>
      <Failure error={error} />
      <Group align="flex-end">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          w={240}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show: Your password' }}
        />
        <Button type="submit" variant="default" loading={isSending}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
