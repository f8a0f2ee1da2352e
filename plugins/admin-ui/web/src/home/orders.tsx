import { orderGroups } from '@gantry/contracts';
import { groupLabels } from '../operations/order-list/order-texts';
import { cappedCount } from '../ui/capped-count';
import { LinkButton } from '../ui/link-button';
import { Surface } from '../ui/surface';
import { Link } from 'react-router-dom';
import { OrdersByDay } from './orders-by-day';
import { useOrderCounts } from './use-order-counts';

/** Orders by what they wait for, where the service of orders runs; each line leads to them. */
export function Orders() {
  const counts = useOrderCounts();
  if (counts === undefined || counts.all.count === 0) return null;
  const most = Math.max(1, ...orderGroups.map((group) => counts[group].count));
  return (
    <Surface
      title="Orders"
      aside={
        <LinkButton to="/operations/orders" size="compact-sm" variant="default">
          View all orders
        </LinkButton>
      }
    >
      <ul className="home-list home-bars">
        {orderGroups.map((group) => {
          const { count, isCapped } = counts[group];
          return (
            <li key={group}>
              <Link to={`/operations/orders?group=${group}`}>{groupLabels[group]}</Link>
              <span className="home-bar" aria-hidden="true" data-group={group}>
                <span style={{ width: `${(100 * count) / most}%` }} />
              </span>
              <span className="home-number">{cappedCount(count, isCapped)}</span>
            </li>
          );
        })}
      </ul>
      <OrdersByDay />
    </Surface>
  );
}
