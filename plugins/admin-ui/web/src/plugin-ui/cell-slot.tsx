import { useEffect, type ReactNode } from 'react';
import type { Item } from '../api/items';
import { findClaim, type Claim } from './claims';
import { givenItem, givenValue } from './host/values';
import { SlotBoundary } from './slot-boundary';
import { useIsLeftOut, useUiPart, useUiStore, useUis } from './ui-context';

interface CellSlotProps {
  readonly type: string;
  readonly column: { readonly name: string; readonly displayName: string; readonly type: string };
  readonly item: Item;
  /** The built-in cell: used where no plugin brings one, until that one is loaded, and where it fails. */
  readonly children: ReactNode;
}

/** A cell of the table of items, from a plugin if one brings it. A failure is reported once above the page. */
export function CellSlot(props: CellSlotProps) {
  const claim = findClaim(useUis(), 'cells', props.type, props.column);
  return claim === undefined ? props.children : <ClaimedCell {...props} claim={claim} />;
}

function ClaimedCell({
  type,
  column,
  item,
  children,
  claim: { plugin, key },
}: CellSlotProps & { readonly claim: Claim }) {
  const store = useUiStore();
  const { state, part: Cell } = useUiPart(plugin, (ui) => ui.cells?.[key]);
  const part = `cell ${key}`;
  const leftOut = useIsLeftOut(plugin, part);
  const failure = state.status === 'failed' ? state.failure : undefined;
  useEffect(() => {
    if (failure !== undefined) store.leaveOut(plugin, part, failure);
  }, [store, plugin, part, failure]);
  if (Cell === undefined || leftOut) return children;
  const { name, displayName, type: columnType } = column;
  return (
    <SlotBoundary
      // A row is used again for another item; what a plugin keeps in a cell is not.
      key={item.id}
      renderFailure={() => children}
      waiting={children}
      onError={(error) => store.leaveOut(plugin, part, error)}
    >
      <Cell
        type={type}
        column={{ name, displayName, type: columnType }}
        value={givenValue(item.values[name])}
        item={givenItem(item)}
      />
    </SlotBoundary>
  );
}
