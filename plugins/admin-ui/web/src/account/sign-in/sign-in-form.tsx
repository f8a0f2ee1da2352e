import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { signIn, type SignedInUser } from '../account-api';
import { focusFirst } from './focus-first';
import { FactorError, SecondFactorFields } from './second-factor-fields';
import { useSecondFactor } from './use-second-factor';

interface SignInFormProps {
  onSignedIn(user: SignedInUser): void;
}

/** Email address and password, as password managers and screen readers expect them; problems are at the fields. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const factor = useSecondFactor(async (proof) => onSignedIn(await signIn(login.trim(), password, proof)));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsAsked(true);
    if (login.trim() !== '' && password !== '') void factor.submit();
  };
  const refusal = factor.question === undefined ? factor.error : undefined;
  const passwordProblem = isAsked && password === '' ? 'Enter the password.' : refusal;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {factor.question === undefined ? null : <FactorError factor={factor} />}
        <TextInput
          label="Email address"
          error={isAsked && login.trim() === '' ? 'Enter the email address.' : undefined}
          type="email"
          autoComplete="username"
          data-autofocus
          ref={focusFirst}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          error={passwordProblem}
          errorProps={{ role: 'alert' }}
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
