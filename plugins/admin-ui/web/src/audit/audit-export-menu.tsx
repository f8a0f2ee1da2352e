import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { loadScript } from '../api/load-page';
import { typesQuery } from '../api/queries';
import type { FileFormat } from '../content/list/export/export-file';
import { LazyExportDialog } from '../content/list/menu/list-dialogs';
import { useFileRun } from '../content/list/export/use-file-run';
import { DownloadIcon } from '../ui/icons';
import { requestOf, type AuditState } from './audit-state';

/** Writes what the filters leave into a file of the reader's choice. */
export function AuditExportMenu({ state }: { readonly state: AuditState }) {
  const { begin, ...run } = useFileRun();
  const { data: types = [] } = useQuery(typesQuery);
  const button = useRef<HTMLButtonElement>(null);
  const write = (format: FileFormat): void => {
    // The entry of the menu goes; the dialog gives the focus back to what has it when it opens.
    button.current?.focus();
    const { tab } = state;
    begin(`audit-${tab}.${format}`, format, async (work) => {
      const { exportAudit } = await loadScript(() => import('./export-audit'));
      return exportAudit({ ...work, tab, format, request: requestOf(state), types });
    });
  };
  return (
    <>
      <Menu withInitialFocusPlaceholder={false} position="bottom-end">
        <Menu.Target>
          <Button ref={button} variant="default" leftSection={<DownloadIcon size={16} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => write('csv')}>CSV</Menu.Item>
          <Menu.Item onClick={() => write('jsonl')}>JSON Lines</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LazyExportDialog run={run} noun="entries" />
    </>
  );
}
