import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { LinkButton } from '../../ui/link-button';
import { Timestamp } from '../../ui/timestamp';
import { orderAddress } from '../api/addresses';
import type { OrderList, StoredOrder } from '../api/orders';
import { StateBadge } from '../ui/state-badge';

export interface OrderTableProps {
  readonly label: string;
  readonly list: OrderList;
}

/** Orders as their service stores them: neither Temporal nor a worker is needed to show them. */
export function OrderTable({ label, list: { orders, cut } }: OrderTableProps) {
  return (
    <>
      <div className="items orders" role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Order</th>
              <th scope="col">Reason</th>
              <th scope="col">Placed</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <OrderRow key={`${order.orderId} ${String(order.placed)}`} order={order} />
            ))}
          </tbody>
        </table>
      </div>
      {cut ? (
        <LinkButton to="/content/order" variant="subtle" size="compact-sm" mt="xs">
          More in the list of orders
        </LinkButton>
      ) : null}
    </>
  );
}

function OrderRow({ order: { orderId, status, reason, placed, since } }: { readonly order: StoredOrder }) {
  return (
    <tr>
      <td>
        {status === null ? (
          <Text size="sm" c="dimmed">
            Unknown
          </Text>
        ) : (
          <StateBadge state={status} />
        )}
      </td>
      <td>
        <Anchor component={Link} to={orderAddress(orderId)} inherit>
          <bdi>{orderId}</bdi>
        </Anchor>
      </td>
      <td className="wide" title={reason ?? undefined}>
        {reason}
      </td>
      <td>
        <Timestamp value={placed} />
      </td>
      <td>
        <Timestamp value={since} />
      </td>
    </tr>
  );
}
