import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { operationsKey } from '../api/queries';

export interface ActionOptions<A> {
  act(input: A): Promise<void>;
  /** Message after success. */
  readonly done: string;
  onDone(): void;
}

/** Something that is done to a workflow; whatever its result, the pages are read again. */
export function useAction<A>({ act, done, onDone }: ActionOptions<A>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    networkMode: 'always',
    onSuccess: () => {
      notifications.show({ message: done, color: 'green' });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: operationsKey }),
  });
}
