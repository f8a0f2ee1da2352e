import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listItems, type ListFilter, type Page } from '../../api/items';
import { listQuery } from '../../api/queries';
import { cappedCount } from '../../ui/text/capped-count';
import type { ShownList } from './use-shown-list';

export interface Total {
  /** As people read it, such as `1,248` or `10,000+`; undefined until it is known. */
  readonly text: string | undefined;
  /** There are more than were counted. */
  readonly isCapped: boolean;
  readonly isCounting: boolean;
  /** The count failed. */
  readonly error: unknown;
  /** Counts all, which takes the database long where there are many. */
  countAll(): void;
}

const totalQuery = (type: string, filter: ListFilter, total: 'exact' | 'capped') => ({
  queryKey: ['items', type, 'total', filter, total],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => listItems(type, { ...filter, limit: 1, total }, signal),
  refetchInterval: false as const,
});

/** How many items the filters of a list leave: counted up to a limit, which is quick, and beyond it when asked to. */
export function useTotal(type: string, { request, waiting, control }: ShownList): Total {
  const client = useQueryClient();
  // Only looks at what the list asks for.
  const { data, isPlaceholderData } = useQuery({ ...listQuery(type, request), enabled: false });
  // The page before, which stays in sight while this one loads, says nothing about it.
  const page = isPlaceholderData ? undefined : data;
  const filter = { criteria: request.criteria, q: request.q };
  const known = control.state.after === undefined ? wholeCount(page) : undefined;
  const isWanted = !waiting && page !== undefined && known === undefined;
  const capped = useQuery({ ...totalQuery(type, filter, 'capped'), enabled: isWanted });
  // Once it was asked for, it is kept up to date.
  const exact = useQuery({ ...totalQuery(type, filter, 'exact'), enabled: ({ state }) => state.data !== undefined });
  const counted = exact.data ?? capped.data;
  const isCapped = exact.data === undefined && capped.data?.isTotalCapped === true;
  const text = known ?? (counted?.total === undefined ? undefined : cappedCount(Number(counted.total), isCapped));
  return {
    text,
    isCapped: isCapped && known === undefined,
    isCounting: exact.isFetching,
    error: exact.error ?? capped.error,
    countAll: () => void client.query(totalQuery(type, filter, 'exact')).catch(() => undefined),
  };
}

/** The number of items where the first page has all of them. */
function wholeCount(page: Page | undefined): string | undefined {
  return page === undefined || page.nextCursor !== undefined ? undefined : page.items.length.toLocaleString();
}
