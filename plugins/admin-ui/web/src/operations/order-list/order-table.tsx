import { Button, Menu, UnstyledButton } from '@mantine/core';
import type { ListedOrder } from '@gantry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { DownIcon, UpIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { orderAddress } from '../api/addresses';
import { reportOrder } from '../api/orders';
import { operationsKey } from '../api/queries';
import { DecisionDialog, decisionLabels, decisions, type Decision } from '../orders/order-decision';
import { refusedReports, reported } from '../orders/use-report';
import { RelativeTime } from '../../ui/relative-time';
import { StateBadge } from '../ui/state-badge';
import { mayDecide, mayReport } from '../api/rights';
import { maxSelected, type OrderSelection } from './bulk/use-order-selection';
import { nextAction } from './next-action';
import type { OrderListControl } from './order-list-state';
import { stepLabels } from './order-texts';

export interface OrderTableProps {
  readonly control: OrderListControl;
  readonly orders: readonly ListedOrder[];
  readonly now: number;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly stale: boolean;
  readonly selection: OrderSelection;
}

interface OpenDecision {
  readonly orderId: string;
  readonly decision: Decision;
}

/** A page of orders. It has at most 200 rows, so that all of them are in the document. */
export function OrderTable({ control, orders, now, stale, selection }: OrderTableProps) {
  const reports = useRowReports();
  const [decision, setDecision] = useState<OpenDecision>();
  const [isDeciding, setDeciding] = useState(false);
  return (
    <>
      {reports.failure === undefined ? null : (
        <ErrorState error={reports.failure.error} once title={reports.failure.title} onRetry={reports.retry} />
      )}
      <div className="items orders" data-stale={stale || undefined} role="region" aria-label="Orders" tabIndex={0}>
        <table aria-busy={stale}>
          <thead>
            <tr>
              <td className="select">
                <SelectAll orders={orders} selection={selection} />
              </td>
              <th scope="col">Order</th>
              <th scope="col">Status</th>
              <th scope="col">Step</th>
              <SinceHeading control={control} />
              <th scope="col" className="order-reason">
                Reason
              </th>
              <th scope="col" className="actions">
                Next action
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <OrderRow
                key={`${order.orderId} ${order.placedAt}`}
                order={order}
                now={now}
                reports={reports}
                isSelected={selection.ids.has(order.orderId)}
                onSelect={(isSelected) => selection.select([order.orderId], isSelected)}
                onDecide={(chosen) => {
                  setDecision({ orderId: order.orderId, decision: chosen });
                  setDeciding(true);
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      {decision === undefined ? null : (
        <DecisionDialog
          key={`${decision.orderId} ${decision.decision}`}
          {...decision}
          opened={isDeciding}
          onClose={() => setDeciding(false)}
        />
      )}
    </>
  );
}

interface SelectAllProps {
  readonly orders: readonly ListedOrder[];
  readonly selection: OrderSelection;
}

/** Selects the orders of the page, as many as can be acted on at once. */
function SelectAll({ orders, selection }: SelectAllProps) {
  const isEvery = orders.slice(0, maxSelected).every(({ orderId }) => selection.ids.has(orderId));
  return (
    <label className="select-order">
      <input
        type="checkbox"
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

function SinceHeading({ control }: { readonly control: OrderListControl }) {
  const isAscending = control.sort === 'since';
  const Arrow = isAscending ? UpIcon : DownIcon;
  return (
    <th scope="col" aria-sort={isAscending ? 'ascending' : 'descending'}>
      <UnstyledButton
        className="sort-button"
        title={isAscending ? 'Show the latest first' : 'Show the longest waiting first'}
        onClick={() => control.change({ sort: isAscending ? '-since' : 'since' })}
      >
        Since <Arrow size={14} />
      </UnstyledButton>
    </th>
  );
}

interface OrderRowProps {
  readonly order: ListedOrder;
  readonly now: number;
  readonly reports: RowReports;
  readonly isSelected: boolean;
  onSelect(isSelected: boolean): void;
  onDecide(decision: Decision): void;
}

function OrderRow({ order, now, reports, isSelected, onSelect, onDecide }: OrderRowProps) {
  const { orderId, status, step, since, isStalled } = order;
  const text = reasonOf(order);
  return (
    <tr data-selected={isSelected || undefined}>
      <td className="select">
        <label className="select-order">
          <input
            type="checkbox"
            aria-label={`Select ${orderId}`}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        </label>
      </td>
      <td className="order-id">
        <Link to={orderAddress(orderId)} className="cell-link">
          <bdi>{orderId}</bdi>
        </Link>
      </td>
      <td className="order-status">
        {status === null ? <span className="no-value">Unknown</span> : <StateBadge state={status} />}
      </td>
      <td className="order-step">{step === null ? <span className="no-value">–</span> : stepLabels[step]}</td>
      <td className="order-since">
        <RelativeTime value={since} now={now} />
      </td>
      <td className="order-reason" title={text === '' ? undefined : text} data-stalled={isStalled || undefined}>
        {text === '' ? <span className="no-value">–</span> : text}
      </td>
      <td className="actions">
        <RowAction order={order} reports={reports} onDecide={onDecide} />
      </td>
    </tr>
  );
}

function reasonOf({ reason, isStalled, acknowledgement }: ListedOrder): string {
  if (isStalled) return reason ?? 'No progress for longer than this step can take';
  if (acknowledgement === null) return reason ?? '';
  const by = acknowledgement.by === null ? '' : ` by ${acknowledgement.by}`;
  return `${reason ?? ''} Acknowledged${by}: ${acknowledgement.reason}`.trim();
}

function RowAction({ order, reports, onDecide }: Pick<OrderRowProps, 'order' | 'reports' | 'onDecide'>) {
  const { orderId } = order;
  const action = nextAction(order);
  if (action === undefined) return null;
  if (action === 'decide') {
    return !mayDecide ? null : (
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<DownIcon size={12} />}
            aria-label={`Decide on ${orderId}`}
          >
            Decide
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {decisions.map((decision) => (
            <Menu.Item key={decision} onClick={() => onDecide(decision)}>
              {decisionLabels[decision]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  }
  if (action === 'acknowledge') {
    return !mayDecide ? null : (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Acknowledge ${orderId}`}
        onClick={() => onDecide('acknowledgement')}
      >
        {decisionLabels.acknowledgement}
      </Button>
    );
  }
  if (reports.isDone(order)) return <span className="no-value">{action === 'pay' ? 'Paid' : 'Dispatched'}</span>;
  const label = action === 'pay' ? 'Record payment' : 'Dispatch';
  return !mayReport(action) ? null : (
    <Button
      size="compact-sm"
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
