import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EditIcon, TrashIcon } from '../../../ui/icons';
import type { BulkAction } from '../bulk/bulk-dialog';
import type { SelectionControl } from './use-selection';

export interface SelectionBarProps {
  readonly control: SelectionControl;
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
  readonly exportMenu: ReactNode;
  /** Whether the list shows what its filters say: where one is not applied, all that match are more than was meant. */
  readonly appliesAll: boolean;
  onAct(action: BulkAction): void;
}

/** What can be done with the selected items. It is below the table, so that no row moves when the first one is ticked. */
export function SelectionBar({ control, mayUpdate, mayDelete, exportMenu, appliesAll, onAct }: SelectionBarProps) {
  const { selection } = control;
  const all = selection.kind === 'matches';
  const text = all ? 'All matching items selected' : `${selection.items.size} selected`;
  const empty = !all && selection.items.size === 0;
  return (
    <>
      <span role="status" className="visually-hidden">
        {empty ? '' : text}
      </span>
      {empty ? null : (
        <Group className="selection-bar" role="group" aria-label="Selected items" gap="xs">
          <Text size="sm" fw={600} aria-hidden="true">
            {text}
          </Text>
          {all || !appliesAll ? null : (
            <Button size="compact-sm" variant="subtle" onClick={control.selectMatches}>
              Select all that match
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={control.clear}>
            Clear selection
          </Button>
          <Group gap="xs" ml="auto">
            {!mayUpdate ? null : (
              <Button size="xs" variant="default" leftSection={<EditIcon size={14} />} onClick={() => onAct('set')}>
                Edit …
              </Button>
            )}
            {exportMenu}
            {!mayDelete ? null : (
              <Button
                size="xs"
                variant="light"
                color="red"
                leftSection={<TrashIcon size={14} />}
                onClick={() => onAct('delete')}
              >
                Delete …
              </Button>
            )}
          </Group>
        </Group>
      )}
    </>
  );
}
