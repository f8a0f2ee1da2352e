import { Button, Menu } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { lazyPart } from '../../../ui/lazy-part';
import { availableColumns, idColumn } from './columns';
import { SortIcon } from '../icons';

export interface SortMenuProps {
  readonly metadata: ItemMetadata;
  readonly sort: string | undefined;
  onSort(sort: string): void;
}

const Entries = lazyPart<SortMenuProps>(
  async () => (await import('../menu/menu-entries')).SortMenuEntries,
  () => true,
);

/** By what the items are put in order, also by fields that are no column in sight. */
export function SortMenu(props: SortMenuProps) {
  const { metadata, sort = '-id' } = props;
  const isDescending = sort.startsWith('-');
  const name = sort.replace(/^-/, '');
  const known = [idColumn, ...availableColumns(metadata)].find((column) => column.name === name);
  const current = known?.displayName ?? name;
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          className="tool"
          variant="default"
          leftSection={<SortIcon size={16} className="order-icon" data-descending={isDescending || undefined} />}
          aria-label={`Sorted by ${current}, ${isDescending ? 'descending' : 'ascending'}`}
        >
          <span className="clipped">{current}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70dvh" className="options">
        <Entries {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}
