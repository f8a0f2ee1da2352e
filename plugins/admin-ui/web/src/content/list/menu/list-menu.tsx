import { ActionIcon, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { MoreIcon } from '../../../ui/icons';
import { lazyPart } from '../../../ui/lazy-part';
import { useMetadata } from '../../content-layout';
import { matchingPages } from '../export/export-pages';
import { LazyExportDialog } from './list-dialogs';
import { useExport, type ExportKind } from '../export/use-export';
import type { ShownList } from '../use-shown-list';

export interface ListMenuProps {
  readonly list: ShownList;
  /** Shows the boxes that select items where they are not always in sight. */
  onSelect(): void;
}

export interface ListMenuEntriesProps extends Pick<ListMenuProps, 'onSelect'> {
  /** Names of the columns in sight. */
  readonly columns: readonly string[];
  onRefresh(): void;
  onExport(what: ExportKind): void;
}

const Entries = lazyPart<ListMenuEntriesProps>(
  async () => (await import('./menu-entries')).ListMenuEntries,
  () => true,
);

/** Actions on the items of a list, except creating one. */
export function ListMenu({ list, onSelect }: ListMenuProps) {
  const metadata = useMetadata();
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const { request } = list;
  const run = useExport({ metadata, pages: matchingPages(metadata.code, request, request.sort) });
  return (
    <>
      <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label="More" title="More">
            <MoreIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah="70dvh" className="options">
          <Entries
            columns={list.columns.map(({ name }) => name)}
            onRefresh={() => void client.refetchQueries({ queryKey: ['items', metadata.code, 'list'], type: 'active' })}
            onSelect={onSelect}
            onExport={(what) => {
              // The entry of the menu goes; the dialog gives the focus back to what has it when it opens.
              button.current?.focus();
              run.begin(what);
            }}
          />
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog run={run} />
    </>
  );
}
