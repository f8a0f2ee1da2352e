import { Button, Group, Menu, Progress, Text, type ButtonProps } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { Dialog } from '../../ui/dialog';
import { DownloadIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { exportFile, type FileFormat } from './export-file';
import type { ExportPages } from './export-pages';
import { exportTable } from './export-table';
import { openFile, type FileSink } from './file-sink';

export interface ExportMenuProps {
  readonly metadata: ItemMetadata;
  /** The items, not only those of the page in sight. */
  readonly pages: ExportPages;
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
      <ExportDialog run={run} />
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
      <Menu.Item onClick={() => onChoose({ kind: 'file', format: 'jsonl' })}>
        For import elsewhere (JSON lines)
      </Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'file', format: 'csv' })}>For import elsewhere (CSV)</Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'table', columns: undefined })}>
        To edit and import here (CSV with ids)
      </Menu.Item>
      <Menu.Item onClick={() => onChoose({ kind: 'table', columns })}>To read (CSV of the columns in sight)</Menu.Item>
    </>
  );
}

/** Shows how far an export is, and why it stopped. */
export function ExportDialog({ run: { count, failure, close } }: { readonly run: ExportRun }) {
  return (
    <Dialog opened={count !== undefined} onClose={close} title="Export" closeButtonProps={{ 'aria-label': 'Cancel' }}>
      <Text role="status">{count?.toLocaleString()} items so far</Text>
      {failure === undefined ? (
        <Progress value={100} animated mt="sm" aria-label="Export is running" />
      ) : (
        <ErrorState error={failure} title={`The export stopped: ${messageOf(failure)}`} />
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {failure === undefined ? 'Cancel' : 'Close'}
        </Button>
      </Group>
    </Dialog>
  );
}

/** What the file is: made by the platform for an import, or made here for a person. */
export type ExportKind =
  | { readonly kind: 'file'; readonly format: FileFormat }
  | { readonly kind: 'table'; readonly columns: readonly string[] | undefined };

export interface ExportRun {
  /** Of the items so far; undefined while none runs or has failed. */
  readonly count: number | undefined;
  readonly failure: unknown;
  begin(what: ExportKind): void;
  close(): void;
}

export function useExport({ metadata, pages }: Pick<ExportMenuProps, 'metadata' | 'pages'>): ExportRun {
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const write = (what: ExportKind, sink: FileSink, signal: AbortSignal): Promise<void> => {
    // Pieces come faster than anybody reads.
    const onProgress = atMostEvery(progressPauseMs, (items) => {
      if (!signal.aborted) setCount(items);
    });
    return what.kind === 'file'
      ? exportFile({ type: metadata.code, format: what.format, ...pages, sink, signal, onProgress })
      : exportTable({ metadata, pages: pages.read(signal), columns: what.columns, sink, onProgress });
  };
  const begin = async (what: ExportKind): Promise<void> => {
    const format = what.kind === 'file' ? what.format : 'csv';
    const sink = await openFile(`${metadata.code}.${format}`, mediaTypes[format]);
    if (sink === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setFailure(undefined);
    setCount(0);
    try {
      await write(what, sink, signal);
      signal.throwIfAborted();
      await sink.close();
      setCount(undefined);
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (signal.aborted) setCount(undefined);
      else setFailure(error);
    }
  };
  const close = (): void => {
    running.current?.abort();
    setCount(undefined);
    setFailure(undefined);
  };
  return { count, failure, begin: (what: ExportKind) => void begin(what), close };
}

const mediaTypes: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  jsonl: 'application/x-ndjson',
};

const progressPauseMs = 100;

function atMostEvery(pauseMs: number, announce: (items: number) => void): (items: number) => void {
  let lastAt = -Infinity;
  return (items) => {
    const now = performance.now();
    if (now - lastAt < pauseMs) return;
    lastAt = now;
    announce(items);
  };
}
