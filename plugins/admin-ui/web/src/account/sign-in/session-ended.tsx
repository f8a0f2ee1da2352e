import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { pageCaller } from '../../api/platform/initial-data';
import { onSessionEnded } from '../../api/platform/session-ended';
import type { SignedInUser } from '../account-api';
import { Dialog } from '../../ui/dialog';

const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form')).SignInForm }));
const ProviderSignIn = lazy(async () => ({ default: (await import('./provider-sign-in')).ProviderSignIn }));

/**
 * Asks the reader to sign in again over the page that is open: what was typed there stays. After it, what the page shows is
 * requested again. For another person, the page is loaded again, without what was typed.
 */
export function SessionEnded() {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  useEffect(() => onSessionEnded(() => setOpened(true)), []);
  const close = (): void => setOpened(false);
  const finish = useCallback(
    ({ id }: SignedInUser): void => {
      if (pageCaller?.kind === 'person' && pageCaller.id !== id) {
        location.reload();
        return;
      }
      setOpened(false);
      void client.invalidateQueries();
    },
    [client],
  );
  return (
    <Dialog opened={opened} onClose={close} title="The session has ended. Sign in again." closeOnClickOutside={false}>
      <Suspense fallback={null}>
        <SignInForm onSignedIn={finish} />
        <ProviderSignIn onSignedInElsewhere={finish} />
      </Suspense>
    </Dialog>
  );
}
