import '../operations.css';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PageHeader } from '../../ui/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { ordersQuery } from '../api/queries';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { FailingActivities } from '../ui/failing-activities';
import { OperationsProblem } from '../ui/operations-problem';
import { Section } from '../workflow/workflow-overview';
import { OrderTable } from './order-table';
import { PlaceOrderForm } from './place-order-form';

const refreshMs = 5_000;
const shown = 20;

/** Orders: place one, find one, and see which need a person. */
export function OrdersPage() {
  const live = useLive();
  const recent = useQuery({ ...ordersQuery({ limit: shown }), refetchInterval: live.every(refreshMs) });
  const undecided = useQuery({
    ...ordersQuery({ status: 'NEEDS_DECISION', limit: shown }),
    refetchInterval: live.every(refreshMs),
  });
  const refresh = (): void => void Promise.all([recent.refetch(), undecided.refetch()]);
  return (
    <>
      <PageHeader
        title="Orders"
        description="An order is placed, paid, dispatched, delivered and confirmed; one that is not delivered is refunded."
        actions={<LiveControl live={live} onRefresh={refresh} />}
      />
      <Stack gap="lg">
        <PlaceOrderForm />
        <FailingActivities live={live} />
        <OperationsProblem
          error={recent.error ?? undecided.error}
          title="The orders could not be loaded"
          onRetry={refresh}
        />
        {undecided.data === undefined || undecided.data.orders.length === 0 ? null : (
          <Section title="Orders that need a decision">
            <OrderTable label="Table of orders that need a decision" list={undecided.data} />
          </Section>
        )}
        <Section title="All orders">
          {recent.data === undefined ? (
            recent.error === null ? (
              <LoadingState rows={6} />
            ) : null
          ) : recent.data.orders.length === 0 ? (
            <EmptyState title="No order has been placed yet">Type an id above and place one.</EmptyState>
          ) : (
            <OrderTable label="Table of all orders" list={recent.data} />
          )}
        </Section>
      </Stack>
    </>
  );
}
