import { useQuery } from '@tanstack/react-query';
import { listItems, type ListFilter } from '../../../api/items';
import type { Selection } from '../selection/use-selection';

/** How many items an action is about. */
export interface BulkCount {
  /** Undefined as long as it is not known. */
  readonly value: number | undefined;
  readonly error: unknown;
  retry(): void;
}

export function useBulkCount(type: string, selection: Selection, filter: ListFilter): BulkCount {
  const all = selection.kind === 'matches';
  const total = useQuery({
    queryKey: ['items', type, 'matches', filter],
    queryFn: async ({ signal }) =>
      Number((await listItems(type, { ...filter, limit: 1, total: 'exact' }, signal)).total),
    enabled: all,
    // The confirmed number has to be current.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return {
    value: all ? total.data : selection.items.size,
    error: all ? total.error : null,
    retry: () => void total.refetch(),
  };
}
