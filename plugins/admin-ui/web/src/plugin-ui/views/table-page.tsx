import type { TablePage } from '@gantry/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callPlatform } from '../../api/platform/call-platform';
import { asPluginsAre } from '../../api/queries';
import { DataTable, type TableColumn } from '../../ui/data-table';
import { PageHeader } from '../../ui/page/page';
import { ErrorState, LoadingState } from '../../ui/states';
import { ActionDialog, type Action } from './action-dialog';
import { textOf, ViewValue } from './view-value';
import { rowsQuery, type ViewRow } from './rows-query';

interface Chosen {
  readonly action: Action;
  readonly row: ViewRow;
}

/** A page that a plugin or module declares: the rows of a route, with commands as buttons. */
export function TableOfPage({ page }: { readonly page: TablePage }) {
  const rows = useQuery(rowsQuery(page.path));
  const { data: commands = [] } = useQuery({
    queryKey: ['views', 'commands'],
    queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/commands', {}, signal)).data,
    ...asPluginsAre,
  });
  const [chosen, setChosen] = useState<Chosen>();
  const actions = commands.filter(({ plugin, name }) => plugin === page.plugin && page.actions.includes(name));
  return (
    <>
      <PageHeader
        title={page.title}
        actions={actions
          .filter((action) => !isOfRow(action))
          .map((action) => (
            <Button key={action.name} onClick={() => setChosen({ action, row: {} })}>
              {action.summary}
            </Button>
          ))}
      />
      {rows.error === null ? null : (
        <ErrorState error={rows.error} title="The rows could not be loaded" onRetry={() => void rows.refetch()} />
      )}
      {rows.isPending ? <LoadingState rows={6} /> : null}
      {rows.data === undefined ? null : (
        <DataTable
          label={page.title}
          rows={rows.data}
          rowKey={(row) => String(rows.data.indexOf(row))}
          columns={columnsOf(page, actions.filter(isOfRow), rows.dataUpdatedAt, setChosen)}
        />
      )}
      {chosen === undefined ? null : <ActionDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function isOfRow({ values }: Action): boolean {
  return values.some(({ in: part }) => part === 'path');
}

function columnsOf(
  { columns }: TablePage,
  actions: readonly Action[],
  now: number,
  onChoose: (chosen: Chosen) => void,
): readonly TableColumn<ViewRow>[] {
  const [head] = columns;
  const shown = columns.map((member): TableColumn<ViewRow> => ({
    title: member.title,
    isRowHeader: member === head,
    ...(member.kind === 'number' ? { align: 'end' as const } : {}),
    cell: (row) => <ViewValue member={member} row={row} now={now} />,
  }));
  if (actions.length === 0) return shown;
  const ofRow: TableColumn<ViewRow> = {
    title: 'Actions',
    hidesTitle: true,
    cell: (row) =>
      actions.map((action) => (
        <Button
          key={action.name}
          size="compact-xs"
          variant="default"
          aria-label={`${action.summary}: ${textOf(row[head?.name ?? ''])}`}
          onClick={() => onChoose({ action, row })}
        >
          {action.summary}
        </Button>
      )),
  };
  return [...shown, ofRow];
}
