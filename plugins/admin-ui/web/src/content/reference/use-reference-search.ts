import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../../api/items';
import { metadataQuery } from '../../api/queries';
import { itemLabel, itemSubLabel } from '../../api/label';
import { findReferences, type SearchPosition } from './find-references';
import { createPace } from './pace';

/** Milliseconds without another key until it is searched for what was typed. */
const typingPauseMs = 200;
/** Least milliseconds between two requests of one picker. */
const spacingMs = 200;

export interface ReferenceSearch {
  readonly items: readonly Item[];
  readonly busy: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  open(): void;
  type(term: string): void;
  loadMore(): void;
}

/** Asks once the reader pauses, and never twice within that pause; a request that is overtaken is cancelled. */
export function useReferenceSearch(target: string): ReferenceSearch {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(false);
  const [typed, setTyped] = useState('');
  const [term] = useDebouncedValue(typed, typingPauseMs);
  const [nextRequest] = useState(() => createPace(spacingMs));
  const first: SearchPosition = { field: undefined, after: undefined };
  const pages = useInfiniteQuery({
    queryKey: ['items', target, 'references', term],
    queryFn: async ({ pageParam, signal }) =>
      findReferences(
        await client.query({ ...metadataQuery(target), staleTime: 'static' }),
        term,
        pageParam,
        nextRequest,
        signal,
      ),
    initialPageParam: first,
    getNextPageParam: (last) =>
      last.nextCursor === undefined ? undefined : { field: last.field, after: last.nextCursor },
    enabled: wanted,
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
  const found = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const isCurrent = term === typed && !pages.isPlaceholderData;
  return {
    // Until the new word is answered, of the choices of the one before those that have it: they are not taken from under the pointer.
    items: isCurrent ? found : found.filter((item) => reads(item, typed)),
    busy: pages.isFetching || term !== typed,
    hasMore: isCurrent && pages.hasNextPage,
    error: pages.error,
    open: () => setWanted(true),
    type: setTyped,
    loadMore: () => void pages.fetchNextPage(),
  };
}

function reads(item: Item, typed: string): boolean {
  const word = typed.trim().toLocaleLowerCase();
  return [itemLabel(item), itemSubLabel(item), item.id].some((text) => text?.toLocaleLowerCase().includes(word));
}
