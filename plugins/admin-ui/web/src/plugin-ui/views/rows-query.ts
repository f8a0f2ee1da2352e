import { queryOptions } from '@tanstack/react-query';
import { request } from '../../api/request';

/** A row of a card or page, by the names of its members. */
export type ViewRow = Readonly<Record<string, unknown>>;

/** @param path of the route that answers the rows */
export const rowsQuery = (path: string) =>
  queryOptions({
    queryKey: ['views', 'rows', path],
    queryFn: async ({ signal }) => (await request<readonly ViewRow[]>(path, { signal })).data,
  });
