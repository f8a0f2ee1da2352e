import { notifications } from '@mantine/notifications';
import type { GenerationsReport } from '@gantry/contracts';
import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { disablePlugin, enablePlugin, generationsQuery, isUnderWay, type ChangeAnswer } from './plugin-api';

/** Ways to change the plugins. */
export interface PluginChanging {
  readonly enable: UseMutationResult<ChangeAnswer, Error, string>;
  readonly disable: UseMutationResult<ChangeAnswer, Error, { readonly id: string; readonly dependents: boolean }>;
}

export function usePluginChanging(): PluginChanging {
  const client = useQueryClient();
  const onSuccess = ({ change, takesEffect }: ChangeAnswer): void => {
    void client.invalidateQueries({ queryKey: generationsQuery.queryKey });
    if (change === null) notifications.show({ message: 'All was so already.' });
    else if (takesEffect === 'next-start') {
      notifications.show({ message: 'It counts from the next start of the platform on.', color: 'yellow' });
    }
  };
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

/** How changes go. When one has ended, everything that may have come or gone with it is asked for again. */
export function useGenerations(): GenerationsReport | undefined {
  const client = useQueryClient();
  const { data } = useQuery(generationsQuery);
  const ended = data?.changes.filter((change) => !isUnderWay(change)).length;
  const seen = useRef<number>(undefined);
  useEffect(() => {
    if (ended === undefined) return;
    if (seen.current !== undefined && seen.current !== ended) {
      const { queryKey } = generationsQuery;
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
    }
    seen.current = ended;
  }, [client, ended]);
  return data;
}
