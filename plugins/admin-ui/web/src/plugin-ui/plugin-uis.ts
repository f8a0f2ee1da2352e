import type { PluginUiReport } from '@gantry/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callPlatform } from '../api/platform/call-platform';
import { asPluginsAre } from '../api/queries';
import { initialData } from '../api/platform/initial-data';

/** Additions of plugins to the pages. The page contains them, so that they cost no request; later they are read again. */
export const pluginUisQuery = queryOptions({
  queryKey: ['plugin-uis'],
  queryFn: async ({ signal }) =>
    (await callPlatform('GET', '/api/platform/plugins', {}, signal)).data.plugins.flatMap(
      ({ id, displayName, state, problems, ui, contributes: { itemTypes } }): readonly PluginUiReport[] =>
        ui === undefined ? [] : [{ id, displayName, state, problems, ui, itemTypes }],
    ),
  ...initialData('pluginUis'),
  ...asPluginsAre,
});

export function usePluginUis(): readonly PluginUiReport[] {
  return useQuery(pluginUisQuery).data;
}
