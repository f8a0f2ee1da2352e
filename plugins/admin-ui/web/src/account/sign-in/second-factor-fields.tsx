import { Alert, Button, Text, TextInput } from '@mantine/core';
import { obstacleTo } from './browser-passkeys';
import { focusFirst } from './focus-first';
import { canUsePasskey, type SecondFactor } from './use-second-factor';

/** Asks for a passkey or a code; absent until one is needed. */
export function SecondFactorFields({ factor }: { readonly factor: SecondFactor }) {
  const { question, code, setCode, isSending, isWaiting, askAgain } = factor;
  if (question === undefined) return null;
  const hasApp = question.kinds.includes('authenticator-app');
  const obstacle = question.passkey && obstacleTo(question.passkey.origin);
  return (
    <>
      {obstacle === undefined ? null : <Text size="sm">{obstacle} Enter a code instead.</Text>}
      {canUsePasskey(question) ? (
        <>
          <Text size="sm" role="status">
            {isWaiting ? 'Confirm with your passkey, as the browser asks.' : 'Your account has a passkey.'}
          </Text>
          <Button variant="default" disabled={isSending || isWaiting} onClick={() => void askAgain()}>
            Use passkey
          </Button>
        </>
      ) : null}
      <TextInput
        ref={focusFirst}
        label={hasApp ? 'Code of the authenticator app' : 'Recovery code'}
        {...(hasApp ? { description: 'Or one of your recovery codes' } : {})}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </>
  );
}

/** Why the last attempt did not succeed. */
export function FactorError({ factor: { error } }: { readonly factor: SecondFactor }) {
  return error === undefined ? null : (
    <Alert color="red" role="alert">
      {error}
    </Alert>
  );
}
