import { Button, Menu, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { messageOf } from '../../api/api-error';
import {
  BookmarkIcon,
  CheckIcon,
  ColumnsIcon,
  EditIcon,
  MoreIcon,
  StarIcon,
  TrashIcon,
  UploadIcon,
} from '../../ui/icons';
import { useMetadata } from '../content-layout';
import { may } from '../../common/may';
import { ExportEntries } from './export-menu';
import { matchingPages } from './export-pages';
import { LazyColumnChooser, LazyExportDialog } from './list-dialogs';
import { useExport } from './use-export';
import type { ShownList } from './use-shown-list';
import type { ViewActions } from './views/use-view-actions';

export interface ListMenuProps {
  readonly list: ShownList;
  readonly views: ViewActions;
}

/** Everything that can be done with a list but to make a new item: views, columns and rows, export and import. */
export function ListMenu({ list, views }: ListMenuProps) {
  const metadata = useMetadata();
  const button = useRef<HTMLButtonElement>(null);
  const [choosesColumns, setChoosesColumns] = useState(false);
  const { request } = list;
  const run = useExport({ metadata, pages: matchingPages(metadata.code, request, request.sort) });
  const fromButton = (work: () => void): void => {
    // The entry of the menu goes; a dialog gives the focus back to what has it when it opens.
    button.current?.focus();
    work();
  };
  return (
    <>
      <Menu position="bottom-end" width={300} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={button} className="tool" variant="default" leftSection={<MoreIcon size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70dvh" className="options">
          <ViewEntries views={views} fromButton={fromButton} />
          <Menu.Divider />
          <Menu.Item leftSection={<ColumnsIcon size={16} />} onClick={() => fromButton(() => setChoosesColumns(true))}>
            Columns …
          </Menu.Item>
          <Menu.CheckboxItem closeMenuOnClick checked={list.isCompact} onChange={list.setCompact}>
            Compact rows
          </Menu.CheckboxItem>
          {may(metadata, 'export') ? (
            <>
              <Menu.Divider />
              <Menu.Label>Export</Menu.Label>
              <ExportEntries
                columns={list.columns.map(({ name }) => name)}
                onChoose={(what) => fromButton(() => run.begin(what))}
              />
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
      <LazyExportDialog run={run} />
    </>
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
