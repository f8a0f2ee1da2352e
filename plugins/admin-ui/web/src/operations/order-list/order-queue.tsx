import { useState } from 'react';
import type { OrderPage, ListedOrder } from '../api/orders';
import { mayDecide, mayControl, mayReport } from '../api/rights';
import { ListFoot } from '../../ui/page/list-foot';
import { type BulkAction, bulkActions, bulkTexts, isApplicable } from './bulk/bulk-actions';
import { BulkDialog } from './bulk/bulk-dialog';
import { useOrderSelection } from './bulk/use-order-selection';
import { awaitsDecision } from './next-action';
import { OrderDrawer } from './order-drawer';
import { formatListState, type OrderListControl } from './order-list-state';
import { OrderTable } from './order-table';
import { Button } from '@mantine/core';

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

interface BulkBarProps {
  readonly selected: readonly ListedOrder[];
  onAction(action: BulkAction): void;
  onClear(): void;
}

function mayDo(action: BulkAction): boolean {
  if (action === 'dispatch') return mayReport('dispatch');
  return action === 'cancel' || action === 'reset' ? mayControl : mayDecide;
}

/** Actions on the selected orders; only those that apply to at least one of them, with the number of these. */
function BulkBar({ selected, onAction, onClear }: BulkBarProps) {
  const offered = bulkActions.filter(mayDo).flatMap((action) => {
    const count = selected.filter((order) => isApplicable(action, order)).length;
    return count === 0 ? [] : [{ action, count }];
  });
  return (
    <div className="selection-bar" role="group" aria-label="Selected orders">
      <b role="status">{selected.length.toLocaleString()} selected</b>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear
      </Button>
      {offered.length === 0 ? <span>No action applies to these orders.</span> : null}
      <span className="selection-actions">
        {offered.map(({ action, count }) => (
          <Button key={action} size="xs" variant="default" onClick={() => onAction(action)}>
            {bulkTexts[action].button} ({count.toLocaleString()}) …
          </Button>
        ))}
      </span>
    </div>
  );
}
