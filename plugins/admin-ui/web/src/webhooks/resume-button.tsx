import { Button } from '@mantine/core';
import { Failure } from '../ui/failure';
import { useControl } from './use-control';
import { act, type SubscriptionPath } from './webhook-api';

/** Tries at once what waits, resumes what is paused, and removes the mark of a gap. */
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
