import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { subscriptionsKey } from './webhook-api';

export interface Control<V, T> {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly data: T | undefined;
  run(input: V): void;
  reset(): void;
}

/** Something that is done with a subscription. Afterwards, what is shown of subscriptions is read again. */
export function useControl<V, T>(
  action: (input: V) => Promise<T>,
  /** Message after success; undefined where the result is shown. */
  said?: (result: T) => string,
  onDone?: (result: T) => void,
): Control<V, T> {
  const client = useQueryClient();
  const { isPending, error, data, mutate, reset } = useMutation({
    mutationFn: action,
    onSuccess: (result) => {
      if (said !== undefined) notifications.show({ message: said(result), color: 'green' });
      onDone?.(result);
    },
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionsKey }),
  });
  return { isPending, error, data, run: (input) => mutate(input), reset };
}
