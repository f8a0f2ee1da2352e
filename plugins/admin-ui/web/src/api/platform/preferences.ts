import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api-error';
import type { FavouritesPreference, ListPreference, SavedView, StoredPreference } from './preference';
import { callPlatform } from './call-platform';
import { initialData } from './initial-data';

const path = '/admin/api/preferences/{name}';

/** All that is kept on the server for the reader: one request, whatever number of lists is opened afterwards. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/admin/api/preferences', {}, signal)).data,
  ...initialData('preferences'),
  staleTime: 60_000,
});

/** A change takes the newest value, so that it can be made again on top of what another tab has stored; undefined removes it. */
type Change<V> = (stored: V | undefined) => V | undefined;

export interface Preference<V> {
  /** Undefined when nothing is kept, and while that is not known. */
  readonly value: V | undefined;
  /** True once the stored preference is read, or cannot be read for now. */
  readonly settled: boolean;
  readonly error: unknown;
  /** @throws ApiError */
  change(change: Change<V>): Promise<void>;
}

export function useListPreference(type: string): Preference<ListPreference> {
  return usePreference<ListPreference>(listName(type));
}

/** The view that opens with the list of a type, if one does. */
export function firstView(preference: ListPreference | undefined): SavedView | undefined {
  return preference?.views.find(({ id }) => id === preference.defaultView);
}

/** @throws ApiError */
export async function readListPreference(client: QueryClient, type: string): Promise<ListPreference | undefined> {
  return valueOf<ListPreference>(await client.query(preferencesQuery), listName(type));
}

export function useFavourites(): Preference<FavouritesPreference> {
  return usePreference<FavouritesPreference>('favourites');
}

/** All saved views, with the code of their type. */
export function useSavedViews(): readonly { readonly type: string; readonly view: SavedView }[] {
  const { data = [] } = useQuery(preferencesQuery);
  return data.flatMap(({ name, value }) =>
    'views' in value && name.startsWith(listPrefix)
      ? value.views.map((view) => ({ type: name.slice(listPrefix.length), view }))
      : [],
  );
}

const listPrefix = 'list.';

function usePreference<V extends StoredPreference['value']>(name: string): Preference<V> {
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(preferencesQuery);
  const mutation = useMutation({
    mutationFn: (change: Change<V>) => storeChange(client, name, change),
    // One after the other: a change that began before the last one has its version would be refused first.
    scope: { id: `preference ${name}` },
  });
  return {
    value: data === undefined ? undefined : valueOf<V>(data, name),
    settled: !isPending,
    error,
    change: mutation.mutateAsync,
  };
}

function listName(type: string): string {
  return `${listPrefix}${type}`;
}

function valueOf<V extends StoredPreference['value']>(kept: readonly StoredPreference[], name: string): V | undefined {
  return kept.find((stored) => stored.name === name)?.value as V | undefined;
}

const attempts = 4;

/** When another tab was faster, its value is read and the change made on top of it: neither is lost. */
async function storeChange<V extends StoredPreference['value']>(
  client: QueryClient,
  name: string,
  change: Change<V>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await client.query({ ...preferencesQuery, staleTime: attempt === 1 ? 'static' : 0 });
    const stored = known.find((candidate) => candidate.name === name);
    try {
      const saved = await write(name, stored, change(stored?.value as V | undefined));
      await client.cancelQueries({ queryKey: preferencesQuery.queryKey });
      client.setQueryData(preferencesQuery.queryKey, (latest = known) => [
        ...latest.filter((candidate) => candidate.name !== name),
        ...(saved === undefined ? [] : [saved]),
      ]);
      return;
    } catch (error) {
      const overtaken = error instanceof ApiError && (error.status === 412 || error.status === 404);
      if (!overtaken || attempt === attempts) throw error;
    }
  }
}

async function write(
  name: string,
  stored: StoredPreference | undefined,
  value: StoredPreference['value'] | undefined,
): Promise<StoredPreference | undefined> {
  if (value !== undefined) {
    const body = { version: stored?.version ?? null, value };
    return (await callPlatform('PUT', path, { path: { name }, body })).data;
  }
  if (stored !== undefined) {
    await callPlatform('DELETE', path, { path: { name }, query: { version: stored.version } });
  }
  return undefined;
}
