import type { QueryClient } from '@tanstack/react-query';
import { mayReader } from '../api/platform/initial-data';
import { attentionQuery, contentQuery, pluginNamesQuery, readinessQuery, typesQuery } from '../api/queries';
import { orderCountsQuery, ordersByDayQuery } from '../operations/api/queries';
import { viewsQuery } from '../plugin-ui/views/views-query';
import { ownChangesQuery, recentChangesQuery } from './changes-queries';
import { troubles } from './orders/troubles';

/** Asks for all that the home page shows. */
export async function loadHome(client: QueryClient): Promise<void> {
  const orders = client.query(typesQuery).then((types) => {
    const isServed = mayReader('order.read') && types.some(({ type }) => type === 'order');
    return isServed ? Promise.all([client.query(orderCountsQuery), client.query(ordersByDayQuery)]) : undefined;
  });
  // The names of problems change how many lines they take.
  const problems = client.query(readinessQuery).then((readiness) => {
    const isNamed = troubles(readiness).length > 0 && mayReader('plugins.read');
    return isNamed ? client.query(pluginNamesQuery) : undefined;
  });
  const cards = client.query(viewsQuery).then(async ({ homeCards }) => {
    if (homeCards.length > 0) await (await import('./home-cards')).loadCards(client, homeCards);
  });
  await Promise.allSettled([
    cards,
    orders,
    problems,
    client.query(attentionQuery),
    client.query(contentQuery).then(async ({ hasItems }) => {
      if (!hasItems) await import('./steps');
    }),
    client.query(recentChangesQuery),
    client.query(ownChangesQuery),
  ]);
}
