import '../operations.css';
import { Anchor, Stack } from '@mantine/core';
import { workflowTypes, type WorkflowSummary } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { Timestamp } from '../../ui/timestamp';
import { orderAddress } from '../api/addresses';
import { workflowsQuery } from '../api/queries';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { OperationsProblem } from '../ui/operations-problem';
import { StateBadge } from '../ui/state-badge';
import { Section } from '../workflow/workflow-overview';
import { PlaceOrderForm } from './place-order-form';

const refreshMs = 5_000;
const shown = 20;

/** Orders: place one, find one, and see which need a person. */
export function OrdersPage() {
  const live = useLive();
  const recent = useQuery({
    ...workflowsQuery({ type: workflowTypes.placeOrder, limit: shown }),
    refetchInterval: live.every(refreshMs),
  });
  const failed = useQuery({
    ...workflowsQuery({ type: workflowTypes.placeOrder, status: 'FAILED', limit: shown }),
    refetchInterval: live.every(refreshMs),
  });
  const refresh = (): void => void Promise.all([recent.refetch(), failed.refetch()]);
  const failures = failed.data?.workflows ?? [];
  return (
    <>
      <PageHeader
        title="Orders"
        description="An order is placed, paid, dispatched, delivered and confirmed; one that is not delivered is paid back."
        actions={<LiveControl live={live} onRefresh={refresh} />}
      />
      <Stack gap="lg">
        <PlaceOrderForm />
        <OperationsProblem
          error={recent.error ?? failed.error}
          title="The orders could not be loaded"
          onRetry={refresh}
        />
        {failures.length === 0 ? null : (
          <Section title="Orders that failed">
            <OrderTable
              label="Table of orders that failed"
              orders={failures}
              more={
                failed.data?.nextCursor === undefined
                  ? undefined
                  : '/operations/workflows?type=placeOrder&status=FAILED'
              }
            />
          </Section>
        )}
        <Section title="All orders">
          {recent.data === undefined ? (
            recent.error === null ? (
              <LoadingState rows={6} />
            ) : null
          ) : recent.data.workflows.length === 0 ? (
            <EmptyState title="No order has been placed yet">Type an id above and place one.</EmptyState>
          ) : (
            <OrderTable
              label="Table of all orders"
              orders={recent.data.workflows}
              more="/operations/workflows?type=placeOrder"
            />
          )}
        </Section>
      </Stack>
    </>
  );
}

interface OrderTableProps {
  readonly label: string;
  readonly orders: readonly WorkflowSummary[];
  /** Where the rest is. */
  readonly more: string | undefined;
}

function OrderTable({ label, orders, more }: OrderTableProps) {
  return (
    <>
      <div className="items orders" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Order</th>
              <th scope="col">Placed</th>
              <th scope="col">Ended</th>
            </tr>
          </thead>
          <tbody>
            {orders.map(({ workflowId, runId, status, startTime, closeTime }) => (
              <tr key={`${workflowId} ${runId}`}>
                <td>
                  <StateBadge state={status} />
                </td>
                <td className="wide">
                  <Anchor component={Link} to={orderAddress(orderIdOf(workflowId))} inherit>
                    <bdi>{orderIdOf(workflowId)}</bdi>
                  </Anchor>
                </td>
                <td>
                  <Timestamp value={startTime} />
                </td>
                <td>
                  <Timestamp value={closeTime} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more === undefined ? null : (
        <LinkButton to={more} variant="subtle" size="compact-sm" mt="xs">
          More in the list of workflows
        </LinkButton>
      )}
    </>
  );
}

function orderIdOf(workflowId: string): string {
  return workflowId.replace(/^order-/, '');
}
