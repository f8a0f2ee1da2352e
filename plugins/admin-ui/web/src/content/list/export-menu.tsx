import { Button, Group, Menu, Modal, Progress, Text } from '@mantine/core';
import type { Criterion, ItemMetadata } from '@gantry/contracts';
import { useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DownloadIcon } from '../../ui/icons';
import { ErrorState } from '../../ui/states';
import { exportItems, type ExportFormat } from './export-items';

export interface ExportMenuProps {
  readonly metadata: ItemMetadata;
  readonly criteria: readonly Criterion[];
  readonly sort: string | undefined;
}

/** Writes all items that the filters leave, not only the page in sight, into a file. */
export function ExportMenu({ metadata, criteria, sort }: ExportMenuProps) {
  const [count, setCount] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  const begin = async (format: ExportFormat): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setFailure(undefined);
    setCount(0);
    try {
      save(
        await exportItems({ metadata, criteria, sort, format, signal: controller.signal, onProgress: setCount }),
        `${metadata.code}.${format}`,
      );
      setCount(undefined);
    } catch (error) {
      if (controller.signal.aborted) setCount(undefined);
      else setFailure(error);
    }
  };
  const close = (): void => {
    running.current?.abort();
    setCount(undefined);
    setFailure(undefined);
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<DownloadIcon size={16} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void begin('csv')}>As CSV</Menu.Item>
          <Menu.Item onClick={() => void begin('json')}>As JSON</Menu.Item>
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

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
