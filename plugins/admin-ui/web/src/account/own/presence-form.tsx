import type { PresenceProof, PresenceQuestion } from '@gantry/contracts';
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState, type SubmitEvent } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { pageCaller } from '../../api/platform/initial-data';
import { basePath } from '../../common/base-path';
import { provePresence, providerAddress, readSession, type PresenceProofBody } from '../account-api';
import { obstacleTo, PasskeyFailure, readPasskey, type PasskeyQuestion } from '../sign-in/browser-passkeys';
import { focusFirst } from '../sign-in/focus-first';

interface PresenceFormProps {
  readonly question: PresenceQuestion;
  onProven(): void;
  onCancel(): void;
}

/** Takes one of the proofs that the account has. */
export function PresenceForm({ question: { proofs }, onProven, onCancel }: PresenceFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { isSending, error, prove, provePasskey } = useProof(onProven);
  const has = (proof: PresenceProof): boolean => proofs.includes(proof);
  const takesCode = has('authenticator-app') || has('recovery-code');
  const takesText = has('password') || takesCode;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (password !== '') void prove({ password });
    else if (code.trim() !== '') void prove({ code: code.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          {proofs.length === 0
            ? 'Your account has no password, code or passkey for a confirmation. Ask an administrator to reset your password.'
            : 'This change stays in effect after you sign out. Your confirmation is valid for 10 minutes.'}
        </Text>
        {error === undefined ? null : (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        {has('password') ? (
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            data-autofocus
            ref={focusFirst}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show: Your password' }}
          />
        ) : null}
        {takesCode ? (
          <TextInput
            label={has('authenticator-app') ? 'Or a code of the authenticator app' : 'Or a recovery code'}
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        ) : null}
        {has('passkey') ? (
          <Button variant="default" disabled={isSending} onClick={() => void provePasskey()}>
            Use passkey
          </Button>
        ) : null}
        {has('identity-provider') ? <ProviderButton onReturn={onProven} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          {takesText ? (
            <Button type="submit" loading={isSending}>
              Confirm
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

function useProof(onProven: () => void) {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const sending = async (work: () => Promise<void>): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await work();
      onProven();
    } catch (failure) {
      if (!(failure instanceof PasskeyFailure && failure.isReplaced)) setError(messageOf(failure));
    } finally {
      setSending(false);
    }
  };
  return {
    ...{ isSending, error },
    prove: (proof: PresenceProofBody) => sending(() => provePresence(proof)),
    provePasskey: () => sending(async () => provePresence({ passkey: await readPasskey(await askForPasskey()) })),
  };
}

/** The challenge of a passkey expires: it is sent for each time. @throws Error where the passkey cannot be used here */
async function askForPasskey(): Promise<PasskeyQuestion> {
  const asked = await provePresence({}).catch((error: unknown) => {
    if (error instanceof ApiError && error.presence !== undefined) return error.presence.passkey;
    throw error;
  });
  const obstacle = asked && obstacleTo(asked.origin);
  if (asked !== undefined && obstacle === undefined) return asked;
  throw new PasskeyFailure(obstacle ?? 'Your passkeys are for another address of the platform.');
}

/** Leads to the identity provider in another window, as this one has input that must not be lost. */
function ProviderButton({ onReturn }: { onReturn(): void }) {
  const [isOpened, setOpened] = useState(false);
  useEffect(() => {
    if (!isOpened) return;
    const look = async (): Promise<void> => {
      const { user } = await readSession();
      if (user === null) return;
      // Another person has signed in there.
      if (pageCaller?.kind === 'person' && pageCaller.id !== user.id) location.reload();
      else onReturn();
    };
    // Without an answer, the reader can try again.
    const listener = (): void => void look().catch(() => undefined);
    window.addEventListener('focus', listener);
    return () => window.removeEventListener('focus', listener);
  }, [isOpened, onReturn]);
  return (
    <Button
      component="a"
      href={`${providerAddress(`${basePath}/signed-in`)}&presence=true`}
      target="_blank"
      rel="noopener"
      variant="default"
      onClick={() => setOpened(true)}
    >
      Sign in again in another window
    </Button>
  );
}
