import { useComputedColorScheme } from '@mantine/core';
import type { Loaded, Item, ItemList, ListOptions } from '@gantry/ui';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { itemQuery, listQuery } from '../../api/queries';
import { listRequest } from '../host/items-client';
import { givenItem } from '../host/values';

export function useItems(type: string, list: ListOptions = {}): Loaded<ItemList> {
  const { data, error, isFetching, refetch } = useQuery(listQuery(type, listRequest(list)));
  const value = useMemo(
    () =>
      data === undefined
        ? undefined
        : {
            items: data.items.map(givenItem),
            ...(data.nextCursor === undefined ? {} : { next: data.nextCursor }),
          },
    [data],
  );
  return { value, error, loading: isFetching, reload: () => void refetch() };
}

export function useItem(type: string, id: string | undefined): Loaded<Item> {
  const query = itemQuery(type, id ?? '');
  const { data, error, isFetching, refetch } = useQuery(id === undefined ? { ...query, queryFn: skipToken } : query);
  const value = useMemo(() => (data === undefined ? undefined : givenItem(data)), [data]);
  return { value, error, loading: isFetching, reload: () => void refetch() };
}

export function useColourScheme(): 'light' | 'dark' {
  return useComputedColorScheme('light', { getInitialValueInEffect: false });
}
