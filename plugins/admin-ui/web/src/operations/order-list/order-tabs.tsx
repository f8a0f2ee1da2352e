import { orderGroups } from '@gantry/contracts';
import type { OrderCounts } from '../api/orders';
import { cappedCount } from '../../ui/text/capped-count';
import { LinkTabs } from '../../ui/page/link-tabs';
import type { OrderListControl } from './order-list-state';
import { groupLabels } from './order-texts';

export interface OrderTabsProps {
  readonly control: OrderListControl;
  /** Undefined until they are known. */
  readonly counts: OrderCounts | undefined;
}

/** The groups of orders with their numbers. */
export function OrderTabs({ control, counts }: OrderTabsProps) {
  const open = control.state.group ?? 'all';
  const tabs = (['all', ...orderGroups] as const).map((group) => ({
    key: group,
    label: groupLabels[group],
    to: control.addressOf(group === 'all' ? undefined : group),
    isOpen: open === group,
    count: counts === undefined ? undefined : cappedCount(counts[group].count, counts[group].isCapped),
    isUrgent: group === 'attention' && counts !== undefined && counts[group].count > 0,
  }));
  return <LinkTabs label="Orders by state" tabs={tabs} />;
}
