import '../operations.css';
import './order-list.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FirstPageButton } from '../../ui/page/first-page-button';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { PlusIcon } from '../../ui/icons';
import { orderCountsQuery, ordersQuery } from '../api/queries';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { useNow } from '../../ui/time/use-now';
import { PlaceOrderDialog } from '../orders/place-order-form';
import { FailingActivities } from '../ui/failing-activities';
import { OperationsProblem } from '../ui/operations-problem';
import { mayPlaceOrders } from '../api/rights';
import { OrderFilters } from './order-filters';
import { cappedCount } from '../../ui/text/capped-count';
import { requestOf, useOrderListState, type OrderListControl } from './order-list-state';
import { OrderQueue } from './order-queue';
import { groupLabels } from './order-texts';
import { orderGroups } from '@gantry/contracts';
import type { OrderCounts } from '../api/orders';
import { LinkTabs } from '../../ui/page/link-tabs';

const refreshMs = 5_000;
/** Counting costs more than a page, and nobody needs it by the second. */
const countMs = 10_000;

/** All orders that were placed, as a list to work through: what waits for a person, and what can be done about it. */
export function OrdersPage() {
  const control = useOrderListState();
  const live = useLive();
  const now = useNow(live.live, 10_000);
  const [isPlacing, setPlacing] = useState(false);
  const page = useQuery({ ...ordersQuery(requestOf(control.state, now)), refetchInterval: live.every(refreshMs) });
  const counts = useQuery({ ...orderCountsQuery, refetchInterval: live.every(countMs) });
  const refresh = (): void => void Promise.all([page.refetch(), counts.refetch()]);
  const group = counts.data?.[control.state.group ?? 'all'];
  const total = group === undefined || control.isFiltered ? undefined : cappedCount(group.count, group.isCapped);
  // There is no order at all, so that there is nothing to search.
  const isEmpty = counts.data?.all.count === 0 && page.data?.orders.length === 0 && !control.isFiltered;
  return (
    <div className="list-page">
      <PageHeader
        title="Orders"
        status={total === undefined ? null : <span className="page-total">{total}</span>}
        actions={
          <>
            <LiveControl live={live} onRefresh={refresh} />
            {mayPlaceOrders ? (
              <Button className="place-order" leftSection={<PlusIcon size={16} />} onClick={() => setPlacing(true)}>
                Place order
              </Button>
            ) : null}
          </>
        }
      />
      <PlaceOrderDialog opened={isPlacing} onClose={() => setPlacing(false)} />
      {isEmpty ? null : (
        <>
          <OrderTabs control={control} counts={counts.data} />
          <OrderFilters key={control.state.group ?? 'all'} control={control} />
        </>
      )}
      <FailingActivities live={live} />
      <OperationsProblem error={page.error} title="The orders could not be loaded" onRetry={refresh} />
      <FirstPageButton error={page.error} after={control.state.after} openFirst={control.openFirst} />
      <div className="list-body surface" data-empty={page.data?.orders.length === 0 || undefined}>
        {page.data === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : page.data.orders.length === 0 ? (
          <NoOrders control={control} onPlace={() => setPlacing(true)} />
        ) : (
          <OrderQueue control={control} page={page.data} total={total} now={now} stale={page.isPlaceholderData} />
        )}
      </div>
    </div>
  );
}

function NoOrders({ control, onPlace }: { readonly control: OrderListControl; onPlace(): void }) {
  const { state, isFiltered, clear, openFirst } = control;
  if (isFiltered) {
    return (
      <EmptyState
        title="No results"
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        No order in this list matches all filters.
      </EmptyState>
    );
  }
  if (state.after !== undefined) {
    return (
      <EmptyState
        title="This page is empty"
        action={
          <Button variant="default" onClick={openFirst}>
            Go to the first page
          </Button>
        }
      >
        Its orders have moved to other lists.
      </EmptyState>
    );
  }
  if (state.group !== undefined) {
    return (
      <EmptyState title={state.group === 'attention' ? 'Nothing needs attention' : 'No orders here'}>
        {state.group === 'attention'
          ? 'Orders that fail, stall or need a decision appear here.'
          : `There are no orders in the list “${groupLabels[state.group]}”.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No orders yet"
      action={
        <Button variant="default" onClick={onPlace}>
          Place an order
        </Button>
      }
    >
      Orders appear here as soon as they are placed.
    </EmptyState>
  );
}

interface OrderTabsProps {
  readonly control: OrderListControl;
  /** Undefined until they are known. */
  readonly counts: OrderCounts | undefined;
}

/** The groups of orders with their numbers. */
function OrderTabs({ control, counts }: OrderTabsProps) {
  const open = control.state.group ?? 'all';
  const tabs = (['all', ...orderGroups] as const).map((group) => ({
    key: group,
    label: groupLabels[group],
    to: control.addressOf(group === 'all' ? undefined : group),
    isOpen: open === group,
    count: counts === undefined ? undefined : cappedCount(counts[group].count, counts[group].isCapped),
    isUrgent: group === 'attention' && counts !== undefined && counts[group].count > 0,
  }));
  return <LinkTabs label="Orders by state" tabs={tabs} />;
}
