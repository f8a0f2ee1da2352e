import { Button, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { DataTable, type TableColumn } from '../../ui/data-table';
import { DownIcon, UpIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { orderAddress } from '../api/addresses';
import { reportOrder, type ListedOrder, type OrderSort } from '../api/orders';
import { operationsKey } from '../api/queries';
import { refusedReports, reported } from '../orders/use-report';
import { loginsIn } from '../ui/logins';
import { StateBadge } from '../ui/state-badge';
import { mayDecide, mayReport } from '../api/rights';
import { maxSelected, type OrderSelection } from './bulk/use-order-selection';
import { nextAction } from './next-action';
import { OrderMenu } from './order-menu';
import type { OrderListControl } from './order-list-state';
import { stepLabels } from './order-texts';
import { OrderWait } from './order-wait';

export interface OrderTableProps {
  readonly control: OrderListControl;
  readonly orders: readonly ListedOrder[];
  readonly now: number;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly stale: boolean;
  readonly selection: OrderSelection;
  /** Id of the order that is decided about in the drawer. */
  readonly decided: string | undefined;
  onDecide(order: ListedOrder): void;
}

/** A page of orders. It has at most 200 rows, so that all of them are in the document. */
export function OrderTable({ control, orders, now, stale, selection, decided, onDecide }: OrderTableProps) {
  const reports = useRowReports();
  return (
    <>
      {reports.failure === undefined ? null : (
        <ErrorState error={reports.failure.error} once title={reports.failure.title} onRetry={reports.retry} />
      )}
      <DataTable
        label="Orders"
        className="orders card-rows"
        isStale={stale}
        rows={orders}
        rowKey={({ orderId, placedAt }) => `${orderId} ${placedAt}`}
        isSelected={({ orderId }) => selection.ids.has(orderId) || orderId === decided}
        columns={[
          selectColumn(orders, selection),
          { title: 'Order', className: 'order-id', cell: (order) => <OrderLabel order={order} /> },
          {
            title: 'Status',
            className: 'order-status',
            cell: ({ status }) => (status === null ? <NoValue>Unknown</NoValue> : <StateBadge state={status} />),
          },
          {
            title: 'Step',
            className: 'order-step',
            cell: ({ step }) => (step === null || step === 'COMPLETED' ? <NoValue>–</NoValue> : stepLabels[step]),
          },
          sinceColumn(control, now),
          {
            title: 'Next action',
            className: 'actions',
            cell: (order) => (
              <span className="order-actions">
                <RowAction order={order} reports={reports} onDecide={() => onDecide(order)} />
                <OrderMenu orderId={order.orderId} />
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

function selectColumn(orders: readonly ListedOrder[], selection: OrderSelection): TableColumn<ListedOrder> {
  return {
    title: '',
    className: 'select',
    head: <SelectAll orders={orders} selection={selection} />,
    cell: ({ orderId }) => (
      <label className="select-area">
        <input
          type="checkbox"
          className="select-box"
          aria-label={`Select ${orderId}`}
          checked={selection.ids.has(orderId)}
          onChange={(event) => selection.select([orderId], event.currentTarget.checked)}
        />
      </label>
    ),
  };
}

interface SelectAllProps {
  readonly orders: readonly ListedOrder[];
  readonly selection: OrderSelection;
}

/** Selects the orders of the page, as many as can be acted on at once. */
function SelectAll({ orders, selection }: SelectAllProps) {
  const isEvery = orders.slice(0, maxSelected).every(({ orderId }) => selection.ids.has(orderId));
  return (
    <label className="select-area">
      <input
        type="checkbox"
        className="select-box"
        aria-label={
          orders.length > maxSelected ? `Select the first ${maxSelected} orders` : 'Select all orders of this page'
        }
        checked={isEvery}
        ref={(box) => {
          if (box !== null) box.indeterminate = !isEvery && selection.ids.size > 0;
        }}
        onChange={() =>
          selection.select(
            orders.map(({ orderId }) => orderId),
            !isEvery,
          )
        }
      />
    </label>
  );
}

function OrderLabel({ order }: { readonly order: ListedOrder }) {
  const reason = reasonOf(order);
  return (
    <>
      <Link to={orderAddress(order.orderId)} className="label-link">
        <b className="clipped">
          <bdi>{order.orderId}</bdi>
        </b>
      </Link>
      {reason === '' ? null : (
        <span className="order-reason clipped" data-stalled={order.isStalled || undefined} title={reason}>
          {reason}
        </span>
      )}
    </>
  );
}

function NoValue({ children }: { readonly children: string }) {
  return <span className="no-value">{children}</span>;
}

function sinceColumn(control: OrderListControl, now: number): TableColumn<ListedOrder> {
  const { sort } = control;
  const next = nextSort(control);
  const Arrow = sort === 'since' ? UpIcon : DownIcon;
  return {
    title: 'Since',
    className: 'order-since',
    ...(sort === 'waiting' ? {} : { order: sort === 'since' ? 'ascending' : 'descending' }),
    head: (
      <UnstyledButton
        className="sort-button"
        title={next === 'since' ? 'Show the earliest first' : 'Show the latest first'}
        onClick={() => control.change({ sort: next })}
      >
        Since {sort === 'waiting' ? null : <Arrow size={14} />}
      </UnstyledButton>
    ),
    cell: (order) => <OrderWait order={order} now={now} />,
  };
}

/** Another order than the usual one, and then the other way round. */
function nextSort({ sort, state: { group } }: OrderListControl): OrderSort {
  if (sort !== 'waiting') return sort === 'since' ? '-since' : 'since';
  return group === 'delivered' || group === 'refunded' || group === 'cancelled' ? 'since' : '-since';
}

function reasonOf({ reason, isStalled, acknowledgement }: ListedOrder): string {
  if (isStalled) return reason ?? 'No progress for longer than this step can take';
  if (acknowledgement === null) return reason ?? '';
  const by = acknowledgement.by === null ? '' : ` by ${loginsIn(acknowledgement.by)}`;
  return `${reason ?? ''} Acknowledged${by}: ${acknowledgement.reason}`.trim();
}

interface RowActionProps {
  readonly order: ListedOrder;
  readonly reports: RowReports;
  onDecide(): void;
}

function RowAction({ order, reports, onDecide }: RowActionProps) {
  const { orderId } = order;
  const action = nextAction(order);
  if (action === undefined) return null;
  if (action === 'decide' || action === 'acknowledge') {
    const [label, name] = action === 'decide' ? ['Decide', 'Decide on'] : ['Acknowledge', 'Acknowledge'];
    return !mayDecide ? null : (
      <Button size="xs" variant="default" aria-label={`${name} ${orderId}`} onClick={onDecide}>
        {label}
      </Button>
    );
  }
  if (reports.isDone(order)) return <NoValue>{action === 'pay' ? 'Paid' : 'Dispatched'}</NoValue>;
  const label = action === 'pay' ? 'Record payment' : 'Dispatch';
  return !mayReport(action) ? null : (
    <Button
      size="xs"
      variant="default"
      aria-label={`${label}: ${orderId}`}
      loading={reports.isPending(order)}
      onClick={() => reports.send(order, action)}
    >
      {label}
    </Button>
  );
}

type RowReport = 'pay' | 'dispatch';

interface RowReports {
  send(order: ListedOrder, report: RowReport): void;
  isPending(order: ListedOrder): boolean;
  /** It was taken, and the row does not show it yet. */
  isDone(order: ListedOrder): boolean;
  /** The last report that was refused. */
  readonly failure: { readonly title: string; readonly error: unknown } | undefined;
  retry(): void;
}

/** Reports about the orders of the page, several at a time. */
function useRowReports(): RowReports {
  const client = useQueryClient();
  // By order and the time of its step: what was reported about an earlier step is no longer of interest.
  const [states, setStates] = useState<Readonly<Record<string, 'pending' | 'done'>>>({});
  const [failure, setFailure] = useState<{
    readonly order: ListedOrder;
    readonly report: RowReport;
    readonly error: unknown;
  }>();
  const mutation = useMutation({
    mutationFn: ({ order, report }: { readonly order: ListedOrder; readonly report: RowReport }) =>
      reportOrder(order.orderId, report),
    networkMode: 'always',
    onMutate: ({ order }) => {
      setFailure(undefined);
      setStates((known) => ({ ...known, [keyOf(order)]: 'pending' }));
    },
    onSuccess: (_nothing, { order, report }) => {
      setStates((known) => ({ ...known, [keyOf(order)]: 'done' }));
      notifications.show({ message: `${order.orderId}: ${reported[report]}`, color: 'green' });
    },
    onError: (error, { order, report }) => {
      setStates(({ [keyOf(order)]: _refused, ...known }) => known);
      setFailure({ order, report, error });
    },
    onSettled: () => client.invalidateQueries({ queryKey: operationsKey }),
  });
  const send: RowReports['send'] = (order, report) => {
    if (states[keyOf(order)] === undefined) mutation.mutate({ order, report });
  };
  return {
    send,
    isPending: (order) => states[keyOf(order)] === 'pending',
    isDone: (order) => states[keyOf(order)] === 'done',
    failure:
      failure === undefined
        ? undefined
        : { title: `${failure.order.orderId}: ${refusedReports[failure.report]}`, error: failure.error },
    retry: () => {
      if (failure !== undefined) mutation.mutate(failure);
    },
  };
}

function keyOf({ orderId, since }: ListedOrder): string {
  return `${orderId} ${since}`;
}
