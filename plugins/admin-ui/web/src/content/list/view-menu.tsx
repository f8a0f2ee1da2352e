import { Button, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part';
import { useMetadata } from '../content-layout';
import { AdjustIcon } from './icons';
import { LazyColumnChooser } from './menu/list-dialogs';
import type { ShownList } from './use-shown-list';
import type { ViewActions } from './views/use-view-actions';

export interface ViewMenuProps {
  readonly list: ShownList;
  readonly views: ViewActions;
}

export interface ViewMenuEntriesProps extends ViewMenuProps {
  /** For what opens a dialog, which gives the focus back to what has it when it opens: the entry of the menu goes. */
  fromButton(work: () => void): void;
  onColumns(): void;
}

const Entries = lazyPart<ViewMenuEntriesProps>(
  async () => (await import('./menu/menu-entries')).ViewMenuEntries,
  () => true,
);

/** How a list is shown: its columns, the height of its rows, and what of all that is kept as a view. */
export function ViewMenu({ list, views }: ViewMenuProps) {
  const metadata = useMetadata();
  const button = useRef<HTMLButtonElement>(null);
  const [choosesColumns, setChoosesColumns] = useState(false);
  const fromButton = (work: () => void): void => {
    button.current?.focus();
    work();
  };
  return (
    <>
      <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={button} className="tool" variant="default" leftSection={<AdjustIcon size={16} />}>
            View
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70dvh" className="options">
          <Entries list={list} views={views} fromButton={fromButton} onColumns={() => setChoosesColumns(true)} />
        </Menu.Dropdown>
      </Menu>
      {views.dialog}
      <LazyColumnChooser
        metadata={metadata}
        columns={list.chosen}
        opened={choosesColumns}
        onChoose={list.chooseColumns}
        onClose={() => setChoosesColumns(false)}
      />
    </>
  );
}
