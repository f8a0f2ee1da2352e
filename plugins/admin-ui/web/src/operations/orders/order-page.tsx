import '../operations.css';
import './order.css';
import { Anchor, Button, Group, Text } from '@mantine/core';
import {
  deliveredByOperation,
  operationStatuses,
  operationWorkflowId,
  orderWorkflowId,
  parseOrderId,
} from '@gantry/contracts';
import type { WorkflowDetail } from '../api/workflows';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { LinkTabs } from '../../ui/page/link-tabs';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { EmptyState, LoadingState } from '../../ui/states';
import { RelativeTime } from '../../ui/time/relative-time';
import { Timestamp } from '../../ui/time/timestamp';
import { WorkflowActions } from '../actions/workflow-actions';
import { technicalAddress, technicalTab } from '../api/addresses';
import { storedOrder, type StoredOrder } from '../api/orders';
import { LiveControl } from '../live/live-control';
import { useLive } from '../live/use-live';
import { useNow } from '../../ui/time/use-now';
import { OperationsProblem } from '../ui/operations-problem';
import { StateBadge, stateText } from '../ui/state-badge';
import { Troubles, troublesOf } from '../workflow/troubles';
import { WorkflowLink } from '../workflows/workflow-table';
import { Surface } from '../../ui/surface';
import { TemporalPagesLink } from '../workflow/temporal-pages-link';
import { WorkflowViews } from '../workflow/workflow-views';
import { mayPlaceOrders } from '../api/rights';
import { OrderActivity } from './order-activity';
import { DecideButton, OrderDecision } from './order-decision';
import { OrderRows, useOrderRows, type OrderRowsQuery } from './order-rows';
import { OrderStepList } from './order-step-list';
import { latestOf } from './order-steps';
import { usePlaceOrder } from './place-order-form';
import { RecordChanges } from './record-changes';
import { useOrder, type Order } from './use-order';

/** One order: drives it from placing to delivery, and shows what came of it in the world. */
export function OrderPage() {
  const { orderId = '' } = useParams();
  if (!parseOrderId(orderId).ok) return <NoSuchId orderId={orderId} />;
  return <OneOrder orderId={orderId} key={orderId} />;
}

function OneOrder({ orderId }: { readonly orderId: string }) {
  const live = useLive();
  const [parameters] = useSearchParams();
  const isTechnical = parameters.get('tab') === technicalTab;
  const order = useOrder(orderId, live, orderWorkflowId(orderId));
  const { missing, error } = order;
  const rows = useOrderRows(orderId, order.version, live);
  const stored = storedIn(rows);
  const again = isRedelivered(rows) ? operationWorkflowId('redelivery', orderId) : undefined;
  const redelivery = useOrder(orderId, live, again);
  const sources = order.sources && { ...order.sources, redelivery: redelivery.sources };
  const latest = sources && latestOf(sources);
  const now = useNow(live.live && latest?.order.status === 'RUNNING');
  // The technical tab has them itself.
  const troubles = latest === undefined || isTechnical ? [] : troublesOf(latest.order, latest.orderEvents);
  const refetch = (): void => {
    order.refetch();
    if (again !== undefined) redelivery.refetch();
  };
  return (
    <>
      <PageHeader
        title={`Order ${orderId}`}
        breadcrumb={<Link to="/operations/orders">Orders</Link>}
        status={<Outcome workflow={latest?.order} stored={stored} outcome={order.outcome} now={now} />}
        actions={
          <>
            <LiveControl live={live} onRefresh={refetch} />
            {sources === undefined ? null : <WorkflowActions workflow={sources.order} events={sources.orderEvents} />}
            {stored === undefined ? null : <DecideButton order={stored} />}
          </>
        }
      />
      {stored === undefined ? <Troubles troubles={troubles} /> : <OrderDecision order={stored} troubles={troubles} />}
      {missing ? null : <OperationsProblem error={error} title="The order could not be loaded" onRetry={refetch} />}
      {sources === undefined ? null : <PageTabs isTechnical={isTechnical} />}
      {sources !== undefined && isTechnical ? (
        <>
          <WorkflowHead workflow={sources.order} />
          <WorkflowViews workflow={sources.order} events={sources.orderEvents} live={live.live} />
        </>
      ) : (
        <OrderColumns
          orderId={orderId}
          order={{ ...order, sources, consignment: redelivery.consignment ?? order.consignment }}
          rows={rows}
          now={now}
        />
      )}
    </>
  );
}

/** Which workflow the technical tab is about. */
function WorkflowHead({ workflow }: { readonly workflow: WorkflowDetail }) {
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm" className="long-text">
        Workflow <b>{workflow.workflowId}</b>
      </Text>
      <StateBadge state={workflow.status} />
      <TemporalPagesLink workflow={workflow} />
    </Group>
  );
}

interface OrderColumnsProps {
  readonly orderId: string;
  readonly order: Order;
  readonly rows: OrderRowsQuery;
  readonly now: number;
}

/** The steps of the order, and what was done and written about it. */
function OrderColumns({ orderId, order, rows, now }: OrderColumnsProps) {
  const { sources, missing, error, consignment } = order;
  return (
    <>
      {missing ? <NoWorkflow orderId={orderId} rows={rows} /> : null}
      {sources === undefined ? (
        missing || error !== null ? null : (
          <LoadingState rows={8} />
        )
      ) : (
        <OrderStepList orderId={orderId} sources={sources} now={now} />
      )}
      <div className="with-rail">
        <div className="surfaces">
          {sources === undefined ? null : <OrderActivity sources={sources} />}
          <RecordChanges rows={rows.data} />
        </div>
        <div className="surfaces">
          <OrderRows found={rows} />
          {sources === undefined ? null : (
            <Surface title="Workflows">
              <ul className="value-list order-records">
                <li>
                  <Anchor component={Link} to={technicalAddress(orderId)} inherit>
                    <bdi>{orderWorkflowId(orderId)}</bdi>
                  </Anchor>
                </li>
                <li>
                  {consignment === undefined ? (
                    <span className="no-value">No consignment yet</span>
                  ) : (
                    <WorkflowLink {...consignment} />
                  )}
                </li>
              </ul>
            </Surface>
          )}
        </div>
      </div>
    </>
  );
}

/** The order as the people who handle it see it, and its workflow as Temporal has it. */
function PageTabs({ isTechnical }: { readonly isTechnical: boolean }) {
  const tabs = [
    { key: 'order', label: 'Order', to: '?', isOpen: !isTechnical, count: undefined },
    { key: technicalTab, label: 'Technical', to: `?tab=${technicalTab}`, isOpen: isTechnical, count: undefined },
  ];
  return <LinkTabs label="Views of the order" tabs={tabs} />;
}

interface OutcomeProps {
  /** Undefined until Temporal reports it. */
  readonly workflow: WorkflowDetail | undefined;
  readonly stored: StoredOrder | undefined;
  readonly outcome: string | undefined;
  readonly now: number;
}

/** Result of the order as its service stores it; its workflow if that is not known. */
function Outcome({ workflow, stored, outcome, now }: OutcomeProps) {
  const state = stored?.status ?? workflow?.status;
  if (state === undefined) return null;
  return (
    <>
      <StateBadge state={state} />
      {outcome === undefined || outcome === stateText(state) ? null : <span>{outcome}</span>}
      {stored?.since == null ? null : (
        <span className="no-value">
          <RelativeTime value={stored.since} now={now} />
        </span>
      )}
    </>
  );
}

/** Of several with the id, each of another Temporal, the newest. */
function storedIn({ data }: OrderRowsQuery): StoredOrder | undefined {
  const item = data?.['order']?.at(-1);
  return item === undefined ? undefined : storedOrder(item);
}

/** Whether a redelivery is under way, or has delivered the order: its steps are those of the redelivery then. */
function isRedelivered({ data }: OrderRowsQuery): boolean {
  const values = data?.['order']?.at(-1)?.values;
  return values?.['status'] === operationStatuses.redelivery || values?.['operation'] === deliveredByOperation;
}

/** Temporal removes what has ended after a time; that an order was placed is known for longer. */
function NoWorkflow({ orderId, rows }: { readonly orderId: string; readonly rows: OrderRowsQuery }) {
  if (rows.isPending) return <LoadingState rows={4} />;
  const placed = storedIn(rows)?.placed;
  if (placed === undefined) return <NotPlaced orderId={orderId} />;
  return (
    <EmptyState
      title="Temporal no longer keeps this order"
      action={
        <LinkButton to="/operations/orders" variant="default">
          View all orders
        </LinkButton>
      }
    >
      It was placed on <Timestamp value={placed} />. Temporal removes workflows some time after their end. The records
      of the services are kept.
    </EmptyState>
  );
}

function NotPlaced({ orderId }: { readonly orderId: string }) {
  const place = usePlaceOrder();
  return (
    <>
      <OperationsProblem error={place.error} title="The order was not placed" once />
      <EmptyState
        title="This order has not been placed"
        action={
          !mayPlaceOrders ? null : (
            <Button loading={place.isPending} onClick={() => place.mutate(orderId)}>
              Place order {orderId}
            </Button>
          )
        }
      >
        The platform has no data about it yet.
      </EmptyState>
    </>
  );
}

function NoSuchId({ orderId }: { readonly orderId: string }) {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        title="Not a valid order id"
        action={
          <LinkButton to="/operations/orders" variant="default">
            View all orders
          </LinkButton>
        }
      >
        <span className="long-text">{orderId.slice(0, 200)}</span> An order id has 1 to 64 letters, digits, dots,
        underscores or hyphens.
      </EmptyState>
    </>
  );
}
