import { useDebouncedValue } from '@mantine/hooks';
import type { ModelInfo } from '@gantry/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listItems, type Item } from '../../api/items';
import { typesQuery } from '../../api/queries';
import { searchItems, type FoundGroup } from '../../api/search';
import { searchText } from '../../content/list/list-state';
import { listOrders, type ListedOrder } from '../../operations/api/orders';
import { isIdPrefix } from '../../operations/order-list/order-list-state';

/** Milliseconds after the last key until the platform is asked. */
const typingPauseMs = 150;

const maxOrders = 5;

const maxLatest = 4;

export interface LatestItems {
  readonly type: ModelInfo;
  readonly items: readonly Item[];
}

/** Results of the platform for the text in the palette. */
export interface PaletteSearch {
  readonly groups: readonly FoundGroup[];
  readonly orders: readonly ListedOrder[];
  /** The items that were changed last, of a type whose name begins with the text. */
  readonly latest: LatestItems | undefined;
  readonly isSearching: boolean;
  readonly error: unknown;
  retry(): void;
}

/** Asks for items of all types and for orders; what was asked before is cancelled when the reader types on. */
export function usePaletteSearch(typed: string): PaletteSearch {
  const wanted = searchText(typed) ?? '';
  const [settled] = useDebouncedValue(wanted, typingPauseMs);
  const q = wanted === '' ? '' : settled;
  const { data: types = [] } = useQuery(typesQuery);
  // Without their service there are no orders to ask for.
  const asksForOrders = q !== '' && isIdPrefix(q) && types.some(({ plugin }) => plugin === 'order');
  const items = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => searchItems(q, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const named = typeNamed(q, types);
  const latest = useQuery({
    queryKey: ['items', named?.type, 'latest'],
    queryFn: async ({ signal }) =>
      (await listItems(named?.type ?? '', { criteria: [], sort: '-updatedAt', limit: maxLatest }, signal)).items,
    enabled: named !== undefined,
    refetchOnWindowFocus: false,
  });
  const orders = useQuery({
    queryKey: ['search-orders', q],
    queryFn: async ({ signal }) => (await listOrders({ orderId: q, sort: '-since', limit: maxOrders }, signal)).orders,
    enabled: asksForOrders,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  return {
    groups: q === '' ? [] : (items.data ?? []),
    latest: named === undefined ? undefined : { type: named, items: latest.data ?? [] },
    orders: asksForOrders ? (orders.data ?? []) : [],
    isSearching: wanted !== '' && (wanted !== settled || items.isFetching || orders.isFetching),
    error: q === '' ? null : (items.error ?? (asksForOrders ? orders.error : null)),
    retry: () => void Promise.all([items.refetch(), ...(asksForOrders ? [orders.refetch()] : [])]),
  };
}

/** With fewer characters, most texts begin the name of a type. */
const minNameLength = 3;

function typeNamed(q: string, types: readonly ModelInfo[]): ModelInfo | undefined {
  const text = q.toLocaleLowerCase();
  if (text.length < minNameLength) return undefined;
  return types.find(({ displayNamePlural }) => displayNamePlural.toLocaleLowerCase().startsWith(text));
}
