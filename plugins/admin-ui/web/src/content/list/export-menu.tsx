import { Button, Group, Menu, Modal, Progress, Text, type ButtonProps } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DownloadIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { exportItems, type ExportFormat } from './export-items';
import type { ExportPages } from './export-pages';
import { openFile, type FileSink } from './file-sink';

export interface ExportMenuProps {
  readonly metadata: ItemMetadata;
  /** The items, not only those of the page in sight. */
  readonly pages: ExportPages;
  /** Names of the columns in sight. */
  readonly columns: readonly string[];
  readonly size?: ButtonProps['size'];
}

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
};

/** Writes items into a file of the reader's choice. */
export function ExportMenu({ metadata, pages, columns, size = 'sm' }: ExportMenuProps) {
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const write = async (sink: FileSink, format: ExportFormat, shown: readonly string[] | undefined): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setFailure(undefined);
    setCount(0);
    try {
      await exportItems({ metadata, pages: pages(signal), format, columns: shown, sink, onProgress: setCount });
      signal.throwIfAborted();
      await sink.close();
      setCount(undefined);
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (signal.aborted) setCount(undefined);
      else setFailure(error);
    }
  };
  const begin = async (format: ExportFormat, shown?: readonly string[]): Promise<void> => {
    const sink = await openFile(`${metadata.code}.${format}`, mediaTypes[format]);
    if (sink !== undefined) await write(sink, format, shown);
  };
  const close = (): void => {
    running.current?.abort();
    setCount(undefined);
    setFailure(undefined);
  };
  return (
    <>
      <Menu withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size={size} leftSection={<DownloadIcon size={16} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void begin('csv')}>As CSV, every field</Menu.Item>
          <Menu.Item onClick={() => void begin('csv', columns)}>As CSV, columns in sight</Menu.Item>
          <Menu.Item onClick={() => void begin('json')}>As JSON</Menu.Item>
          <Menu.Item onClick={() => void begin('jsonl')}>As JSON lines</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={count !== undefined} onClose={close} title="Export" closeButtonProps={{ 'aria-label': 'Cancel' }}>
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
      </Modal>
    </>
  );
}
