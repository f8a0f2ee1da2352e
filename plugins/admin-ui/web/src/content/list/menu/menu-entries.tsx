import { Menu, Text } from '@mantine/core';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { messageOf } from '../../../api/api-error';
import { may } from '../../../common/may';
import {
  BookmarkIcon,
  CheckIcon,
  ColumnsIcon,
  EditIcon,
  RefreshIcon,
  StarIcon,
  TrashIcon,
  UploadIcon,
} from '../../../ui/icons';
import { useMetadata } from '../../content-layout';
import { availableColumns, idColumn, isSortable } from '../columns/columns';
import { ExportEntries } from '../export/export-menu';
import type { ListMenuEntriesProps } from './list-menu';
import type { SortMenuProps } from '../columns/sort-menu';
import { usePin } from '../columns/use-pin';
import type { ViewMenuEntriesProps } from '../view-menu';
import type { ViewActions } from '../views/use-view-actions';

/** The entries of the menus of a list, which are loaded when one is opened. */

/** Entries that came after their menu was opened get its focus, as they would have with it. */
function Entries({ children }: { readonly children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const menu = around.current?.closest('[role="menu"]');
    if (focused === menu || focused?.getAttribute('aria-haspopup') === 'menu') {
      menu?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus({ preventScroll: true });
    }
  }, []);
  return <div ref={around}>{children}</div>;
}

export function ListMenuEntries({ columns, onRefresh, onSelect, onExport }: ListMenuEntriesProps) {
  const metadata = useMetadata();
  const pin = usePin(metadata);
  return (
    <Entries>
      <Menu.Item leftSection={<RefreshIcon size={16} />} onClick={onRefresh}>
        Refresh
      </Menu.Item>
      <Menu.Item className="only-narrow" leftSection={<CheckIcon size={16} />} onClick={onSelect}>
        Select items
      </Menu.Item>
      <Menu.Item className="only-narrow" leftSection={<StarIcon size={16} />} onClick={pin.toggle}>
        {pin.text}
      </Menu.Item>
      {may(metadata, 'export') ? (
        <>
          <Menu.Divider />
          <Menu.Label>Export</Menu.Label>
          <ExportEntries columns={columns} onChoose={onExport} />
        </>
      ) : null}
      <Menu.Divider />
      {!may(metadata, 'import') ? null : (
        <Menu.Item component={Link} to={`/content/${metadata.code}/import`} leftSection={<UploadIcon size={16} />}>
          Import …
        </Menu.Item>
      )}
      <Menu.Item component={Link} to={`/content/${metadata.code}/deleted`} leftSection={<TrashIcon size={16} />}>
        View deleted items
      </Menu.Item>
    </Entries>
  );
}

export function SortMenuEntries({ metadata, sort = '-id', onSort }: SortMenuProps) {
  const columns = [idColumn, ...availableColumns(metadata)].filter(({ name }) => isSortable(metadata, name));
  const isDescending = sort.startsWith('-');
  const chosen = sort.replace(/^-/, '');
  return (
    <Entries>
      {columns.map(({ name, displayName }) => (
        <Choice key={name} isChosen={name === chosen} onChoose={() => onSort(isDescending ? `-${name}` : name)}>
          {displayName}
        </Choice>
      ))}
      <Menu.Divider />
      <Choice isChosen={!isDescending} onChoose={() => onSort(chosen)}>
        Ascending
      </Choice>
      <Choice isChosen={isDescending} onChoose={() => onSort(`-${chosen}`)}>
        Descending
      </Choice>
    </Entries>
  );
}

interface ChoiceProps {
  readonly isChosen: boolean;
  readonly children: ReactNode;
  onChoose(): void;
}

function Choice({ isChosen, children, onChoose }: ChoiceProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={isChosen}
      rightSection={isChosen ? <CheckIcon size={16} /> : null}
      onClick={onChoose}
    >
      {children}
    </Menu.Item>
  );
}

export function ViewMenuEntries({ list, views, fromButton, onColumns }: ViewMenuEntriesProps) {
  return (
    <Entries>
      <Menu.Item leftSection={<ColumnsIcon size={16} />} onClick={() => fromButton(onColumns)}>
        Columns …
      </Menu.Item>
      <Menu.CheckboxItem closeMenuOnClick checked={list.isCompact} onChange={list.setCompact}>
        Compact rows
      </Menu.CheckboxItem>
      <Menu.Divider />
      <ViewEntries views={views} fromButton={fromButton} />
    </Entries>
  );
}

interface ViewEntriesProps {
  readonly views: ViewActions;
  fromButton(work: () => void): void;
}

function ViewEntries({ views, fromButton }: ViewEntriesProps) {
  const { current, isChanged, isDefault, error } = views;
  return (
    <>
      {error === null ? null : (
        <Text size="sm" c="dimmed" px="sm" py="xxs">
          Saved views cannot be read now: {messageOf(error)}
        </Text>
      )}
      {current === undefined ? null : (
        <>
          <Menu.Item leftSection={<CheckIcon size={16} />} disabled={!isChanged} onClick={views.overwrite}>
            Save the changes to this view
          </Menu.Item>
          <Menu.Item leftSection={<StarIcon size={16} />} onClick={views.toggleDefault}>
            {isDefault ? 'No longer open it by default' : 'Open it by default'}
          </Menu.Item>
          <Menu.Item
            leftSection={<EditIcon size={16} />}
            onClick={() => fromButton(() => views.ask({ kind: 'rename', view: current }))}
          >
            Rename the view …
          </Menu.Item>
          <Menu.Item
            leftSection={<TrashIcon size={16} />}
            onClick={() => fromButton(() => views.ask({ kind: 'delete', view: current }))}
          >
            Delete the view …
          </Menu.Item>
        </>
      )}
      <Menu.Item
        leftSection={<BookmarkIcon size={16} />}
        onClick={() => fromButton(() => views.ask({ kind: 'create' }))}
      >
        Save as a new view …
      </Menu.Item>
    </>
  );
}
