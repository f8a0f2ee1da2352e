import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../api/api-error';
import { signIn, type SignedInUser } from './account-api';
import { CodeField } from './code-field';
import { focusFirst } from './focus-first';
import { useSecondFactor } from './use-second-factor';

interface SignInFormProps {
  onSignedIn(user: SignedInUser): void;
}

/** Email address and password, as password managers and screen readers expect them. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [isSending, setSending] = useState(false);
  const factor = useSecondFactor();
  const [error, setError] = useState<string>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (login.trim() === '' || password === '') {
      setError('Enter the email address and the password.');
      return;
    }
    setSending(true);
    setError(undefined);
    try {
      onSignedIn(await signIn(login.trim(), password, factor.given));
    } catch (failure) {
      if (!factor.ask(failure)) setError(messageOf(failure));
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {error === undefined ? null : (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          data-autofocus
          ref={focusFirst}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <CodeField factor={factor} />
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
