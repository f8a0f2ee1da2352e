import type { PluginUiReport, StartupReport } from '@gantry/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { asPluginsAre } from '../api/queries';
import { request } from '../api/request';
import { initialData } from '../api/initial-data';

/** What plugins add to the pages. The page contains it, so that it costs no request; later it is asked for again. */
export const pluginUisQuery = queryOptions({
  queryKey: ['plugin-uis'],
  queryFn: async ({ signal }) =>
    (await request<StartupReport>('/api/platform/plugins', { signal })).data.plugins.flatMap(
      ({ id, displayName, state, problems, ui, contributes: { itemTypes } }): readonly PluginUiReport[] =>
        ui === undefined ? [] : [{ id, displayName, state, problems, ui, itemTypes }],
    ),
  ...initialData('pluginUis'),
  ...asPluginsAre,
});

export function usePluginUis(): readonly PluginUiReport[] {
  return useQuery(pluginUisQuery).data;
}
