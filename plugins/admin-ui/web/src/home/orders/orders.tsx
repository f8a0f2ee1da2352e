import { orderGroups } from '@gantry/contracts';
import { Anchor } from '@mantine/core';
import { groupLabels } from '../../operations/order-list/order-texts';
import { cappedCount } from '../../ui/text/capped-count';
import { Surface } from '../../ui/surface';
import { Link } from 'react-router-dom';
import { OrdersByDay } from './orders-by-day';
import { useOrderCounts } from './use-order-counts';

/** Orders by what they wait for, where the service of orders runs; each group leads to them. */
export function Orders() {
  const counts = useOrderCounts();
  if (counts === undefined || counts.all.count === 0) return null;
  return (
    <Surface
      title="Orders"
      aside={
        <Anchor component={Link} to="/operations/orders" size="sm">
          All orders
        </Anchor>
      }
    >
      <div className="home-orders">
        <div>
          <div className="home-bar" aria-hidden="true">
            {orderGroups.map((group) =>
              counts[group].count === 0 ? null : (
                <span key={group} data-group={group} style={{ flexGrow: counts[group].count }} />
              ),
            )}
          </div>
          <ul className="home-legend">
            {orderGroups.map((group) => (
              <li key={group} data-group={group}>
                <b>{cappedCount(counts[group].count, counts[group].isCapped)}</b>
                <Link to={`/operations/orders?group=${group}`}>{groupLabels[group]}</Link>
              </li>
            ))}
          </ul>
        </div>
        <OrdersByDay />
      </div>
    </Surface>
  );
}
