import { Anchor, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { itemsWith, type Item } from '../../api/items';
import { capitalized } from '../../ui/text/capitalized';
import { Timestamp } from '../../ui/time/timestamp';
import { operationsKey } from '../api/queries';
import type { Live } from '../live/use-live';
import { OperationsProblem } from '../ui/operations-problem';
import { Surface } from '../../ui/surface';

export interface OrderRowsProps {
  readonly found: OrderRowsQuery;
}

/** The rows about an order, by type. */
export type OrderRowsQuery = ReturnType<typeof useOrderRows>;

/** @param version the rows are read again when it changes; undefined as long as it is not known */
export function useOrderRows(orderId: string, version: string | undefined, live: Live) {
  return useQuery({
    queryKey: [...operationsKey, 'rows', orderId, version],
    queryFn: ({ signal }) => itemsWith('orderId', orderId, signal),
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => live.every(isOperated(query.state.data) ? pace.operated : pace.other)(query),
    networkMode: 'always',
  });
}

const pace = { operated: 2_000, other: 15_000 };

/** Whether an operation on the order runs, which its own workflow does not report. */
function isOperated(rows: Readonly<Record<string, readonly Item[]>> | undefined): boolean {
  const status = rows?.['order']?.at(-1)?.values['status'];
  return status === 'REFUNDING' || status === 'REDELIVERING';
}

/** Rows that the services wrote about the order. */
const writtenTypes = [
  {
    type: 'notification',
    title: 'Notifications',
    text: (values: Item['values']) =>
      `${messageTexts[String(values['kind'])] ?? words(values['kind'])} · ${sentText(values)}`,
  },
  { type: 'payment', title: 'Payments', text: (values: Item['values']) => words(values['state']) },
  { type: 'refund', title: 'Refunds', text: () => 'payment refunded' },
  { type: 'shipment', title: 'Shipment', text: (values: Item['values']) => deliveryText(values['delivered']) },
] as const;

export function OrderRows({ found }: OrderRowsProps) {
  if (found.data === undefined) {
    return (
      <OperationsProblem
        error={found.error}
        title="The records of the order could not be loaded"
        onRetry={() => void found.refetch()}
      />
    );
  }
  const written = writtenTypes.filter(({ type }) => (found.data[type] ?? []).length > 0);
  return (
    <Surface title="Records">
      {written.length > 0 ? null : (
        <Text size="sm" c="dimmed">
          No records of this order yet.
        </Text>
      )}
      {written.map(({ type, title, text }) => (
        <Rows key={type} type={type} title={title} rows={found.data[type] ?? []} text={text} />
      ))}
    </Surface>
  );
}

interface RowsProps {
  readonly type: string;
  readonly title: string;
  readonly rows: readonly Item[];
  text(values: Item['values']): string;
}

function Rows({ type, title, rows, text }: RowsProps) {
  const heading = useId();
  return (
    <section className="order-records" aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <ul className="value-list">
        {rows.map(({ id, values }) => (
          <li key={id}>
            <Anchor component={Link} to={`/content/${type}/${id}`} size="sm">
              {capitalized(text(values))}
            </Anchor>
            <Text size="xs" c="dimmed">
              <Timestamp value={values['createdAt']} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

const messageTexts: Readonly<Record<string, string>> = {
  ORDER_PLACED: 'Order confirmation',
  PAYMENT_COMPLETED: 'Payment confirmation',
  ORDER_CANCELLED: 'Cancellation',
};

/** Without a mail server, a message stays in the outbox. */
function sentText({ state, recipient }: Item['values']): string {
  if (state === 'STORED') return 'not sent (no mail server)';
  return state === 'SENT' ? `sent to ${String(recipient)}` : words(state);
}

function deliveryText(delivered: unknown): string {
  if (delivered === null || delivered === undefined) return 'the carrier has reported nothing yet';
  return delivered === true ? 'the carrier reports: delivered' : 'the carrier reports: not delivered';
}

function words(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase().replaceAll('_', ' ') : '';
}
