import { queryOptions } from '@tanstack/react-query';
import { fetchChanges } from '../api/changes';

/** As many changes as one request of the home page reads. */
export const readChanges = 100;

/** The latest changes of items, by whomever. */
export const recentChangesQuery = queryOptions({
  queryKey: ['items', 'recent-changes'],
  queryFn: async ({ signal }) => (await fetchChanges({ limit: readChanges }, signal)).changes,
});

/** The latest changes that one person made. */
export const changesByQuery = (actor: string) =>
  queryOptions({
    queryKey: ['items', 'recent-changes', actor],
    queryFn: async ({ signal }) => (await fetchChanges({ actor, limit: 20 }, signal)).changes,
  });
