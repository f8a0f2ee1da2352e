import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { signIn, type SignedInUser } from './account-api';
import { focusFirst } from './focus-first';
import { FactorError, SecondFactorFields } from './second-factor-fields';
import { useSecondFactor } from './use-second-factor';

interface SignInFormProps {
  onSignedIn(user: SignedInUser): void;
}

/** Email address and password, as password managers and screen readers expect them. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const factor = useSecondFactor(async (proof) => onSignedIn(await signIn(login.trim(), password, proof)));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (login.trim() === '' || password === '') factor.refuse('Enter the email address and the password.');
    else void factor.submit();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FactorError factor={factor} />
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
        <SecondFactorFields factor={factor} />
        <Button type="submit" loading={factor.isSending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
