import { useState } from 'react';
import type { OrderPage, ListedOrder } from '../api/orders';
import { mayDecide } from '../api/rights';
import { ListFoot } from '../../ui/page/list-foot';
import type { BulkAction } from './bulk/bulk-actions';
import { BulkBar } from './bulk/bulk-bar';
import { BulkDialog } from './bulk/bulk-dialog';
import { useOrderSelection } from './bulk/use-order-selection';
import { awaitsDecision } from './next-action';
import { OrderDrawer } from './order-drawer';
import { formatListState, type OrderListControl } from './order-list-state';
import { OrderTable } from './order-table';

export interface OrderQueueProps {
  readonly control: OrderListControl;
  readonly page: OrderPage;
  /** Orders of the list on all pages, where something counts them. */
  readonly total: string | undefined;
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

/** A page of orders, what can be done to several of them, and beside it the one that is decided about. */
export function OrderQueue({ control, page, total, now, stale }: OrderQueueProps) {
  const { orders } = page;
  const selection = useOrderSelection(formatListState(control.state, null));
  const [chosen, setChosen] = useState<ChosenAction>();
  const [isOpened, setOpened] = useState(false);
  const [decided, setDecided] = useState<ListedOrder>();
  const [isDeciding, setDeciding] = useState(false);
  const selected = orders.filter(({ orderId }) => selection.ids.has(orderId));
  const decide = (order: ListedOrder): void => {
    setDecided(order);
    setDeciding(true);
  };
  return (
    <>
      <OrderTable
        control={control}
        orders={orders}
        now={now}
        stale={stale}
        selection={selection}
        decided={isDeciding ? decided?.orderId : undefined}
        onDecide={decide}
      />
      <ListFoot
        control={control}
        nextCursor={page.nextCursor}
        shown={orders.length}
        total={total}
        sizeLabel="Orders per page"
        selectionBar={
          selected.length === 0 ? undefined : (
            <BulkBar
              selected={selected}
              onClear={selection.clear}
              onAction={(action) => {
                setChosen({ action, selected, number: (chosen?.number ?? 0) + 1 });
                setOpened(true);
              }}
            />
          )
        }
      />
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
      {decided === undefined || !mayDecide ? null : (
        <OrderDrawer
          key={decided.orderId}
          order={orders.find(({ orderId }) => orderId === decided.orderId) ?? decided}
          queue={orders.filter(awaitsDecision)}
          opened={isDeciding}
          now={now}
          onOpen={decide}
          onClose={() => setDeciding(false)}
        />
      )}
    </>
  );
}
