import { Alert, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { basePath } from '../../common/base-path';
import { providerAddress, readSession, type SignedInUser } from '../account-api';
import { takeRefusal } from './provider-refusals';

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
