import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ModelInfo } from '@gantry/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { listItems, type Item } from '../../api/items';
import { typesQuery } from '../../api/queries';
import { Timestamp } from '../../ui/timestamp';
import { operationsKey } from '../api/queries';
import type { Live } from '../live/use-live';
import { OperationsProblem } from '../ui/operations-problem';
import { Section } from '../workflow/workflow-overview';

export interface OrderRowsProps {
  readonly orderId: string;
  /** The rows are read again when it changes. */
  readonly version: string;
  readonly live: Live;
}

const refreshMs = 15_000;

/** What an order has left behind in the world: the rows that the services wrote about it. */
const writtenTypes = [
  {
    type: 'notification',
    title: 'Notifications',
    text: (values: Item['values']) =>
      `${words(values['kind'])}, ${words(values['state'])}, to ${String(values['recipient'])}`,
  },
  { type: 'payment', title: 'Payments', text: (values: Item['values']) => words(values['state']) },
  { type: 'refund', title: 'Refunds', text: () => 'paid back' },
  { type: 'shipment', title: 'Shipment', text: (values: Item['values']) => deliveryText(values['delivered']) },
] as const;

export function OrderRows({ orderId, version, live }: OrderRowsProps) {
  const { data: types = [] } = useQuery(typesQuery);
  const present = writtenTypes.filter(({ type }) => types.some((known: ModelInfo) => known.type === type));
  if (present.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} mt="lg">
      {present.map(({ type, title, text }) => (
        <Section key={type} title={title}>
          <Rows type={type} orderId={orderId} version={version} live={live} text={text} />
        </Section>
      ))}
    </SimpleGrid>
  );
}

interface RowsProps extends OrderRowsProps {
  readonly type: string;
  text(values: Item['values']): string;
}

function Rows({ type, orderId, version, live, text }: RowsProps) {
  const rows = useQuery({
    queryKey: [...operationsKey, 'rows', type, orderId, version],
    queryFn: ({ signal }) =>
      listItems(
        type,
        { criteria: [{ field: 'orderId', operator: 'EQUALS', value: orderId }], limit: 20, sort: 'id' },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: live.every(refreshMs),
    networkMode: 'always',
  });
  if (rows.data === undefined) {
    return (
      <OperationsProblem
        error={rows.error}
        title="These rows could not be loaded"
        onRetry={() => void rows.refetch()}
      />
    );
  }
  if (rows.data.items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  }
  return (
    <ul className="value-list">
      {rows.data.items.map(({ id, values }) => (
        <li key={id}>
          <Anchor component={Link} to={`/content/${type}/${id}`} size="sm">
            {text(values)}
          </Anchor>{' '}
          <Text span size="sm" c="dimmed">
            <Timestamp value={values['createdAt']} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

function deliveryText(delivered: unknown): string {
  if (delivered === null || delivered === undefined) return 'the carrier has reported nothing yet';
  return delivered === true ? 'the carrier reports: delivered' : 'the carrier reports: not delivered';
}

function words(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase().replaceAll('_', ' ') : '';
}
