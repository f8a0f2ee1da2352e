import type { QueryClient } from '@tanstack/react-query';
import { mayReader } from '../api/initial-data';
import { attentionQuery, contentQuery, readinessQuery, typesQuery } from '../api/queries';
import { orderCountsQuery, ordersByDayQuery } from '../operations/api/queries';
import { ownChangesQuery, recentChangesQuery } from './changes-queries';

/** Asks for all that the home page shows. */
export async function loadHome(client: QueryClient): Promise<void> {
  const orders = client.query(typesQuery).then((types) => {
    const isServed = mayReader('order.read') && types.some(({ type }) => type === 'order');
    return isServed ? Promise.all([client.query(orderCountsQuery), client.query(ordersByDayQuery)]) : undefined;
  });
  await Promise.allSettled([
    orders,
    client.query(readinessQuery),
    client.query(attentionQuery),
    client.query(contentQuery),
    client.query(recentChangesQuery),
    client.query(ownChangesQuery),
  ]);
}
