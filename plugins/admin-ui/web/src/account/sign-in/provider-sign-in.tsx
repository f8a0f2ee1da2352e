import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { basePath } from '../../common/base-path';
import { providerAddress, readSession, type SignedInUser } from '../account-api';

/** The codes with which the platform sends a browser back. What the provider writes itself is never shown. */
const sentences: Readonly<Record<string, string>> = {
  'not-configured': 'Sign-in with an identity provider is not configured any more. Use a password.',
  expired:
    'The sign-in took longer than 10 minutes, was used before, or began in another browser. Start again from this page.',
  cancelled: 'The sign-in was cancelled at the identity provider.',
  'provider-unavailable': 'The identity provider does not answer. Try again in a moment.',
  'provider-refused': 'The identity provider refused the sign-in. Ask an administrator to check its configuration.',
  'invalid-answer':
    'The answer of the identity provider is not valid. Try again; if it happens again, ask an administrator.',
  'not-asked-again':
    'The identity provider did not ask you to sign in again, and did not confirm your identity. Ask an administrator to check its configuration.',
  'email-missing': 'The identity provider sends no email address for you. Ask an administrator.',
  'email-not-verified':
    'The identity provider has not verified your email address. Verify it there, and sign in again.',
  'no-role': 'You are in no group that may use this platform. Ask an administrator for access.',
  'account-exists':
    'There is already a user with your email address. An administrator can delete that user, or run gantry auth oidc set with --link-by-email.',
  'account-disabled': 'Your account is disabled. Ask an administrator.',
  'too-many-attempts': 'Too many attempts. Try again in 5 minutes.',
  unavailable:
    'The platform cannot sign you in with the identity provider now. Ask an administrator to look at the log.',
};

/** The sentence for the code behind the `#` of the address, which is removed from it. */
function takeRefusal(): string | undefined {
  const code = /^#sign-in-refused=([a-z-]{1,40})$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return Object.hasOwn(sentences, code) ? sentences[code] : 'The sign-in failed. Try again.';
}

/** Why the sign-in with the identity provider, from which the browser comes back, was refused. */
export function ProviderRefusal() {
  const [refusal] = useState(takeRefusal);
  return refusal === undefined ? null : (
    <Alert color="red" role="alert" mb="md">
      {refusal}
    </Alert>
  );
}

interface ProviderSignInProps {
  /** Opens the provider in another window, as this one has input that must not be lost. */
  readonly onSignedInElsewhere?: (user: SignedInUser) => void;
}

/** Leads to the identity provider; nothing is shown where none is configured. */
export function ProviderSignIn({ onSignedInElsewhere }: ProviderSignInProps) {
  const [name, setName] = useState<string>();
  useEffect(() => {
    readSession().then(
      ({ identityProvider }) => setName(identityProvider?.name),
      // The form remains.
      () => undefined,
    );
  }, []);
  useSignInElsewhere(onSignedInElsewhere);
  if (name === undefined) return null;
  const isElsewhere = onSignedInElsewhere !== undefined;
  const returnTo = isElsewhere ? `${basePath}/signed-in` : location.pathname + location.search;
  return (
    <Button
      component="a"
      href={providerAddress(returnTo)}
      variant="default"
      fullWidth
      mt="md"
      {...(isElsewhere ? { target: '_blank', rel: 'noopener' } : {})}
    >
      Sign in with {name}
      {isElsewhere ? ' in another window' : ''}
    </Button>
  );
}

/** Whenever the reader comes back to this window, it may be signed in. */
function useSignInElsewhere(onSignedIn: ProviderSignInProps['onSignedInElsewhere']): void {
  useEffect(() => {
    if (onSignedIn === undefined) return;
    const look = (): void => {
      if (document.visibilityState === 'hidden') return;
      readSession().then(
        ({ user }) => {
          if (user !== null) onSignedIn(user);
        },
        () => undefined,
      );
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [onSignedIn]);
}
