import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { disablePlugin, enablePlugin, generationsQuery, type ChangeAnswer } from '../plugin-api';

/** Ways to change the plugins. */
export interface PluginChanging {
  readonly enable: UseMutationResult<ChangeAnswer, Error, string>;
  readonly disable: UseMutationResult<ChangeAnswer, Error, { readonly id: string; readonly dependents: boolean }>;
}

/** Follows a change that the platform has accepted. */
export function useChangeBegun(): (answer: ChangeAnswer) => void {
  const client = useQueryClient();
  return ({ change, takesEffect }) => {
    void client.invalidateQueries({ queryKey: generationsQuery.queryKey });
    if (change === null) notifications.show({ message: 'No change was needed.' });
    else if (takesEffect === 'next-start') {
      notifications.show({ message: 'The change takes effect at the next start of the platform.', color: 'yellow' });
    }
  };
}

export function usePluginChanging(): PluginChanging {
  const onSuccess = useChangeBegun();
  return {
    enable: useMutation({ mutationFn: enablePlugin, networkMode: 'always', onSuccess }),
    disable: useMutation({
      mutationFn: ({ id, dependents }: { readonly id: string; readonly dependents: boolean }) =>
        disablePlugin(id, dependents),
      networkMode: 'always',
      onSuccess,
    }),
  };
}
