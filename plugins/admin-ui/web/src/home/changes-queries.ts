import { queryOptions } from '@tanstack/react-query';
import { fetchChanges } from '../api/changes';
import { pageCaller } from '../api/platform/initial-data';

/** As many changes as one request of the home page reads. */
export const readChanges = 100;

/** The latest changes of items, by whomever. */
export const recentChangesQuery = queryOptions({
  queryKey: ['items', 'recent'],
  queryFn: async ({ signal }) => (await fetchChanges({ limit: readChanges }, signal)).changes,
});

const reader = pageCaller?.kind === 'person' ? `user:${pageCaller.id}` : 'local';

/** The latest changes that the reader made. */
export const ownChangesQuery = queryOptions({
  queryKey: ['items', 'recent', 'own'],
  queryFn: async ({ signal }) => (await fetchChanges({ actor: reader, limit: 20 }, signal)).changes,
});
