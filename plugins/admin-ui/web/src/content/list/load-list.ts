import type { QueryClient } from '@tanstack/react-query';
import { firstView, readListPreference } from '../../api/platform/preferences';
import { listQuery, metadataQuery } from '../../api/queries';
import { listRequestOf } from './list-request';
import { parseListState } from './list-state';

/**
 * Fetches the items that a list shows, for its route and for a link that is about to be followed.
 * @param search of the address
 * @throws ApiError
 */
export async function loadList(client: QueryClient, type: string, search = ''): Promise<void> {
  const [metadata, opensView] = await Promise.all([
    client.query(metadataQuery(type)),
    // Without parameters, the address leaves what is shown to a view, if one is kept for that.
    search === '' ? readListPreference(client, type).then((kept) => firstView(kept) !== undefined) : false,
  ]);
  if (opensView) return;
  await client.query(listQuery(type, listRequestOf(metadata, parseListState(new URLSearchParams(search)))));
}
