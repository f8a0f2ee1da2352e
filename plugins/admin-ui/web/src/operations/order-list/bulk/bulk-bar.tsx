import { Button } from '@mantine/core';
import type { ListedOrder } from '../../api/orders';
import { mayControl, mayDecide, mayReport } from '../../api/rights';
import { bulkActions, bulkTexts, isApplicable, type BulkAction } from './bulk-actions';

export interface BulkBarProps {
  readonly selected: readonly ListedOrder[];
  onAction(action: BulkAction): void;
  onClear(): void;
}

function mayDo(action: BulkAction): boolean {
  if (action === 'dispatch') return mayReport('dispatch');
  return action === 'cancel' || action === 'reset' ? mayControl : mayDecide;
}

/** Actions on the selected orders; only those that apply to at least one of them, with the number of these. */
export function BulkBar({ selected, onAction, onClear }: BulkBarProps) {
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
