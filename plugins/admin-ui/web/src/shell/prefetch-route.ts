import type { QueryClient } from '@tanstack/react-query';
import { matchPath } from 'react-router-dom';
import { firstView, preferencesQuery, readListPreference } from '../api/preferences';
import { listQuery, metadataQuery, typesQuery } from '../api/queries';
import { basePath } from '../common/base-path';
import { listRequestOf } from '../content/list/list-request';
import { parseListState } from '../content/list/list-state';
import { waitShortly } from '../common/wait-shortly';

/** Asks for what the first page needs before it is drawn. Resolves when it is there, or should not be waited for any longer. */
export async function prefetchRoute(client: QueryClient, { pathname, search }: Location): Promise<void> {
  const page = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
  await waitShortly(
    Promise.all([client.query(typesQuery), client.query(preferencesQuery), askForContent(client, page, search)]),
  );
}

/**
 * Asks for what a page of an item type is made from, and for the items if it is a list.
 * @param pathname below the root of the application
 * @throws ApiError
 */
export async function askForContent(client: QueryClient, pathname: string, search: string): Promise<void> {
  const type = matchPath({ path: '/content/:type', end: false }, pathname)?.params.type;
  if (type === undefined) return;
  const isList = matchPath('/content/:type', pathname) !== null;
  const [metadata, opensView] = await Promise.all([
    client.query(metadataQuery(type)),
    // Without parameters, the address leaves what is shown to a view, if one is kept for that.
    search === '' ? readListPreference(client, type).then((kept) => firstView(kept) !== undefined) : false,
  ]);
  if (!isList || opensView) return;
  await client.query(listQuery(type, listRequestOf(metadata, parseListState(new URLSearchParams(search)))));
}
