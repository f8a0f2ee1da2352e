import { Button } from '@mantine/core';
import { Failure } from '../ui/failure';
import { useControl } from './use-control';
import { act, type Subscribed, type SubscriptionPath } from './webhook-api';

/** Pauses a subscription, or resumes it. */
export function PauseButton({
  path,
  subscription,
}: {
  readonly path: SubscriptionPath;
  readonly subscription: Subscribed;
}) {
  const isPaused = subscription.state === 'paused';
  const control = useControl(
    (action: 'pause' | 'resume') => act(path, action),
    ({ state }) => (state === 'paused' ? 'Paused: changes wait' : 'Resumed'),
  );
  return (
    <>
      <Failure error={control.error} />
      <Button variant="default" loading={control.isPending} onClick={() => control.run(isPaused ? 'resume' : 'pause')}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
}

/** Tries at once what waits, and removes the mark of a gap. */
export function ResumeButton({ path, label }: { readonly path: SubscriptionPath; readonly label: string }) {
  const control = useControl(() => act(path, 'resume'));
  return (
    <>
      <Failure error={control.error} />
      <Button size="xs" variant="default" loading={control.isPending} onClick={() => control.run(undefined)}>
        {label}
      </Button>
    </>
  );
}
