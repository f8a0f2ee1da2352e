import type { PlatformSchema } from '@gantry/client/platform';
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, isUnavailable } from './api-error';
import { fetchMetadata, fetchReferences, fetchTypes, getItem, listItems, type ListRequest } from './items';
import { callPlatform } from './platform/call-platform';
import { initialMetadata, initialData } from './platform/initial-data';
import { onTypeGone } from './type-gone';

/** While a part of the platform is unavailable, its queries are retried automatically. */
const retryDelayMs = { min: 1_000, fallback: 5_000, max: 60_000 };

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // The platform is on this machine: it answers although the machine has no network.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: 5_000,
        refetchInterval: ({ state }) => retryDelay(state.error),
      },
    },
  });
  // The plugin of a page may be gone while the page is open: the navigation and the page itself are to know.
  onTypeGone(() => {
    void client.invalidateQueries({ queryKey: ['types'] });
    void client.invalidateQueries({ queryKey: ['metadata'] });
  });
  return client;
}

/** As the platform asks for, within what a reader would put up with. */
function retryDelay(error: unknown): number | false {
  if (!isUnavailable(error)) return false;
  const { min, fallback, max } = retryDelayMs;
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(max, Math.max(min, retryAfterMs ?? fallback));
}

/**
 * Types and metadata only change with the set of plugins. That is done elsewhere, by command or in another tab, so that one
 * who comes back to this one is shown what came of it.
 */
export const asPluginsAre = { staleTime: 5 * 60_000, refetchOnWindowFocus: 'always' } as const;

export const typesQuery = queryOptions({
  queryKey: ['types'],
  queryFn: ({ signal }) => fetchTypes(signal),
  ...initialData('types'),
  ...asPluginsAre,
});

export const metadataQuery = (type: string) =>
  queryOptions({
    queryKey: ['metadata', type],
    queryFn: ({ signal }) => fetchMetadata(type, signal),
    ...initialMetadata(type),
    ...asPluginsAre,
  });

/** A page of items; the one before stays while the next one loads. */
export const listQuery = (type: string, list: ListRequest) =>
  queryOptions({
    queryKey: ['items', type, 'list', list],
    queryFn: ({ signal }) => listItems(type, list, signal),
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === type ? keepPreviousData(previous) : undefined,
  });

/** The items of a type that have one of the ids, as far as there are any. */
export const itemsByIdQuery = (type: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['items', type, 'by id', ids],
    queryFn: ({ signal }) =>
      listItems(
        type,
        { limit: ids.length, criteria: [{ field: 'id', operator: 'IN', value: JSON.stringify(ids) }] },
        signal,
      ),
  });

export const itemQuery = (type: string, id: string) =>
  queryOptions({
    queryKey: ['items', type, 'one', id],
    queryFn: ({ signal }) => getItem(type, id, signal),
  });

/** The first items that refer to an item, by type and field. */
export const referencesQuery = (type: string, id: string) =>
  queryOptions({
    queryKey: ['items', type, 'used-by', id],
    queryFn: ({ signal }) => fetchReferences(type, id, signal),
  });

/** Whether any item of a type that is written here exists. */
export const contentQuery = queryOptions({
  queryKey: ['items', 'any'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/content', {}, signal)).data,
});

export type Readiness = PlatformSchema<'Readiness'>;

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/readyz', {}, signal)).data,
});

/** Display names of plugins by their ids. */
export const pluginNamesQuery = queryOptions({
  queryKey: ['plugin-names'],
  queryFn: async ({ signal }) =>
    new Map(
      (await callPlatform('GET', '/api/platform/plugins', {}, signal)).data.plugins.map((plugin) => [
        plugin.id,
        plugin.displayName,
      ]),
    ),
  ...asPluginsAre,
});

/** Items that need a person, as their type declares it; `isMore` when there are more than are counted. */
export type AttentionEntry = PlatformSchema<'AttentionEntry'>;

export const attentionQuery = queryOptions({
  queryKey: ['items', 'attention'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/attention', {}, signal)).data,
});
