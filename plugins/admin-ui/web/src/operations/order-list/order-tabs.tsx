import { orderGroups, type OrderCounts } from '@gantry/contracts';
import { Link } from 'react-router-dom';
import { cappedCount } from '../../ui/capped-count';
import type { OrderListControl } from './order-list-state';
import { groupLabels } from './order-texts';

export interface OrderTabsProps {
  readonly control: OrderListControl;
  /** Undefined until they are known. */
  readonly counts: OrderCounts | undefined;
}

/** The groups of orders with their numbers. Each is a link, so that the browser can open it in another tab and go back. */
export function OrderTabs({ control, counts }: OrderTabsProps) {
  const open = control.state.group ?? 'all';
  return (
    <nav aria-label="Orders by state" className="order-tabs">
      {(['all', ...orderGroups] as const).map((group) => (
        <Link
          key={group}
          to={control.addressOf(group === 'all' ? undefined : group)}
          className="order-tab"
          aria-current={open === group ? 'page' : undefined}
        >
          {groupLabels[group]}
          {counts === undefined ? null : (
            <span className="order-count" data-urgent={(group === 'attention' && counts[group].count > 0) || undefined}>
              {cappedCount(counts[group].count, counts[group].isCapped)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
