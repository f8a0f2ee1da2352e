import type { GenerationsReport, PluginChange } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { typesQuery } from '../../api/queries';
import { generationsQuery, isUnderWay } from '../plugin-api';

/**
 * When a change of the plugins has ended, everything that may have come or gone with it is asked for again, whatever page is
 * open by then. It asks for nothing until a change is known to be under way; that is for the page of plugins to find out.
 */
export function FollowChanges() {
  const client = useQueryClient();
  const { data: ended } = useQuery({
    ...generationsQuery,
    enabled: ({ state }) => state.data?.changes.some(isUnderWay) === true,
    select: lastEnded,
  });
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (ended === undefined || ended.id === seen.current) return;
    const before = client.getQueryState(typesQuery.queryKey)?.dataUpdatedAt ?? 0;
    // A change that had ended when this tab was opened brings no news to the tab.
    if (seen.current !== undefined || Date.parse(ended.since) > before) {
      const { queryKey } = generationsQuery;
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
    }
    seen.current = ended.id;
  }, [client, ended]);
  return null;
}

function lastEnded({ changes }: GenerationsReport): PluginChange | undefined {
  return changes
    .filter((change) => !isUnderWay(change))
    .toSorted((left, right) => Date.parse(right.since) - Date.parse(left.since))[0];
}
