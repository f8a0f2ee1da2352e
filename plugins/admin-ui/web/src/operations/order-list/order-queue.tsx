import type { ListedOrder } from '@gantry/contracts';
import { useState } from 'react';
import type { BulkAction } from './bulk/bulk-actions';
import { BulkBar } from './bulk/bulk-bar';
import { BulkDialog } from './bulk/bulk-dialog';
import { useOrderSelection } from './bulk/use-order-selection';
import { formatListState, type OrderListControl } from './order-list-state';
import { OrderTable } from './order-table';

export interface OrderQueueProps {
  readonly control: OrderListControl;
  readonly orders: readonly ListedOrder[];
  readonly now: number;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly stale: boolean;
}

interface ChosenAction {
  readonly action: BulkAction;
  readonly selected: readonly ListedOrder[];
  /** Another one for every time that an action is chosen. */
  readonly number: number;
}

/** A page of orders, and what can be done to several of them. */
export function OrderQueue({ control, orders, now, stale }: OrderQueueProps) {
  const selection = useOrderSelection(formatListState(control.state, null));
  const [chosen, setChosen] = useState<ChosenAction>();
  const [isOpened, setOpened] = useState(false);
  const selected = orders.filter(({ orderId }) => selection.ids.has(orderId));
  return (
    <>
      {selected.length === 0 ? null : (
        <BulkBar
          selected={selected}
          onClear={selection.clear}
          onAction={(action) => {
            setChosen({ action, selected, number: (chosen?.number ?? 0) + 1 });
            setOpened(true);
          }}
        />
      )}
      <OrderTable control={control} orders={orders} now={now} stale={stale} selection={selection} />
      {chosen === undefined ? null : (
        <BulkDialog
          key={chosen.number}
          action={chosen.action}
          selected={chosen.selected}
          opened={isOpened}
          onClose={() => setOpened(false)}
          onDone={(orderIds) => selection.select(orderIds, false)}
        />
      )}
    </>
  );
}
