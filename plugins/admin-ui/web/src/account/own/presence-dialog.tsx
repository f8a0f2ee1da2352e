import type { PresenceQuestion } from '@gantry/contracts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { handlePresenceRequired } from '../../api/platform/presence';
import { Dialog } from '../../ui/dialog';

const PresenceForm = lazy(async () => ({ default: (await import('./presence-form')).PresenceForm }));

interface Asked {
  readonly question: PresenceQuestion;
  settle(isProven: boolean): void;
}

/**
 * Asks the reader to confirm who is there, over the page that is open, and lets the request that needs it go on: what was typed
 * stays. Requests that wait at the same time share one answer.
 */
export function PresenceDialog() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    let answer: Promise<boolean> | undefined;
    handlePresenceRequired((question) => {
      answer ??= new Promise<boolean>((resolve) => {
        setAsked({
          question,
          settle: (isProven) => {
            answer = undefined;
            setAsked(undefined);
            resolve(isProven);
          },
        });
      });
      return answer;
    });
  }, []);
  return (
    <Dialog
      opened={asked !== undefined}
      onClose={() => asked?.settle(false)}
      title="Confirm that it is you"
      closeOnClickOutside={false}
    >
      <Suspense fallback={null}>
        {asked === undefined ? null : (
          <PresenceForm
            question={asked.question}
            onProven={() => asked.settle(true)}
            onCancel={() => asked.settle(false)}
          />
        )}
      </Suspense>
    </Dialog>
  );
}
