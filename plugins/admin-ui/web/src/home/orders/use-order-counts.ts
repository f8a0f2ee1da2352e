import type { OrderCounts } from '../../operations/api/orders';
import { useQuery } from '@tanstack/react-query';
import { mayReader } from '../../api/platform/initial-data';
import { typesQuery } from '../../api/queries';
import { orderCountsQuery } from '../../operations/api/queries';

/** How many orders each group has; undefined where no service of orders runs, and for readers who may not see orders. */
export function useOrderCounts(): OrderCounts | undefined {
  const { data: types = [] } = useQuery(typesQuery);
  const isServed = mayReader('order.read') && types.some(({ type }) => type === 'order');
  return useQuery({ ...orderCountsQuery, enabled: isServed, refetchInterval: refreshMs }).data;
}

const refreshMs = 30_000;
