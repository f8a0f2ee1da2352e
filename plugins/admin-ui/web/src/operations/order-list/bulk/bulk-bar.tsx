import { Button, Group, Text } from '@mantine/core';
import type { ListedOrder } from '@gantry/contracts';
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

/** What can be done to the selected orders; only what applies to one of them at least, with the number of those. */
export function BulkBar({ selected, onAction, onClear }: BulkBarProps) {
  const offered = bulkActions.filter(mayDo).flatMap((action) => {
    const count = selected.filter((order) => isApplicable(action, order)).length;
    return count === 0 ? [] : [{ action, count }];
  });
  return (
    <Group gap="xs" className="bulk-bar" role="group" aria-label="Selected orders">
      <Text size="sm" fw={600} role="status">
        {selected.length.toLocaleString()} selected
      </Text>
      {offered.map(({ action, count }) => (
        <Button key={action} size="xs" variant="default" onClick={() => onAction(action)}>
          {bulkTexts[action].button} ({count.toLocaleString()}) …
        </Button>
      ))}
      {offered.length === 0 ? (
        <Text size="sm" c="dimmed">
          No action applies to these orders.
        </Text>
      ) : null}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}
