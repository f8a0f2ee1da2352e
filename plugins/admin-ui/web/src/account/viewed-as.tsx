import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { pageCaller } from '../api/platform/initial-data';
import { endViewAs } from './roles/role-api';

/** Says that the pages are shown as for other roles, and ends it. */
export function ViewedAs() {
  const end = useMutation({ mutationFn: endViewAs });
  return (
    <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate()}>
      Viewed as {pageCaller?.viewsAs?.join(', ')}. End
    </Button>
  );
}
