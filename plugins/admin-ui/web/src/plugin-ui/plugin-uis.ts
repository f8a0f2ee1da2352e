import type { PluginPage, PluginUiReport, StartupReport } from '@gantry/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from '../api/request';

/** What plugins add changes with the set of plugins only. */
const staleMs = 5 * 60_000;

/** What plugins add to the pages. The page itself tells it, so that it costs no request; later it is asked for again. */
export const pluginUisQuery = queryOptions({
  queryKey: ['plugin-uis'],
  queryFn: async ({ signal }) =>
    (await request<StartupReport>('/api/platform/plugins', { signal })).data.plugins.flatMap(
      ({ id, displayName, state, problems, ui }): readonly PluginUiReport[] =>
        ui === undefined ? [] : [{ id, displayName, state, problems, ui }],
    ),
  initialData: embeddedUis,
  staleTime: staleMs,
});

export function usePluginUis(): readonly PluginUiReport[] {
  return useQuery(pluginUisQuery).data;
}

/** The address of a plugin's page, below `/admin`. */
export function pageAddress(plugin: string, page: PluginPage): string {
  return page.path === '' ? `/x/${plugin}` : `/x/${plugin}/${page.path}`;
}

/** The page that a path belongs to, which is the one with the longest path of its own, and what follows that. */
export function findPage(
  pages: readonly PluginPage[],
  path: string,
): { readonly page: PluginPage; readonly rest: string } | undefined {
  const fitting = pages
    .filter((page) => page.path === '' || path === page.path || path.startsWith(`${page.path}/`))
    .toSorted((left, right) => right.path.length - left.path.length);
  const [page] = fitting;
  if (page === undefined) return undefined;
  return { page, rest: page.path === '' ? path : path.slice(page.path.length + 1) };
}

function embeddedUis(): readonly PluginUiReport[] {
  const text = document.getElementById('plugin-uis')?.textContent ?? '[]';
  try {
    return JSON.parse(text) as readonly PluginUiReport[];
  } catch {
    return [];
  }
}
