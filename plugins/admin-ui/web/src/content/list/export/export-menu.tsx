import { Button, Menu, type ButtonProps } from '@mantine/core';
import { useRef } from 'react';
import { DownloadIcon } from '../../../ui/icons';
import { LazyExportDialog } from '../menu/list-dialogs';
import { useExport, type ExportKind, type ExportSource } from './use-export';

export interface ExportMenuProps extends ExportSource {
  /** Names of the columns in sight. */
  readonly columns: readonly string[];
  readonly size?: ButtonProps['size'];
}

/** Writes items into a file of the reader's choice. */
export function ExportMenu({ size = 'sm', ...props }: ExportMenuProps) {
  const run = useExport(props);
  const button = useRef<HTMLButtonElement>(null);
  const begin = (what: ExportKind): void => {
    // The entry of the menu goes; the dialog gives the focus back to what has it when it opens.
    button.current?.focus();
    run.begin(what);
  };
  return (
    <>
      <Menu withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={button} className="tool" variant="default" size={size} leftSection={<DownloadIcon size={16} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ExportEntries columns={props.columns} onChoose={begin} />
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog run={run} />
    </>
  );
}

/** The entries of a menu for all kinds of files. */
export function ExportEntries({
  columns,
  onChoose,
}: Pick<ExportMenuProps, 'columns'> & { onChoose(what: ExportKind): void }) {
  return (
    <>
      <Menu.Item onClick={() => onChoose({ kind: 'file', format: 'jsonl' })}>File for import (JSON Lines)</Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'file', format: 'csv' })}>File for import (CSV)</Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'table', columns: undefined })}>
        Spreadsheet for editing (CSV, with ids)
      </Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'table', columns })}>Visible columns (CSV)</Menu.Item>
    </>
  );
}
