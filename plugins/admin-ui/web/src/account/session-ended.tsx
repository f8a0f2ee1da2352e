import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { onSessionEnded } from '../api/session-ended';
import { Dialog } from '../ui/dialog';

const SignInForm = lazy(async () => ({ default: (await import('./index')).SignInForm }));

/**
 * Asks the reader to sign in again over the page that is open: what was typed there stays. After it, what the page shows is
 * requested again.
 */
export function SessionEnded() {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  useEffect(() => onSessionEnded(() => setOpened(true)), []);
  const close = (): void => setOpened(false);
  return (
    <Dialog opened={opened} onClose={close} title="The session has ended. Sign in again." closeOnClickOutside={false}>
      <Suspense fallback={null}>
        <SignInForm
          onSignedIn={() => {
            close();
            void client.invalidateQueries();
          }}
        />
      </Suspense>
    </Dialog>
  );
}
