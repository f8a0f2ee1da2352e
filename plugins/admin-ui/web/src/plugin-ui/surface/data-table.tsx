import { Table } from '@mantine/core';
import type { DataTableProps } from '@gantry/ui';
import { EmptyState } from '../../ui/states';

export function DataTable<R>({ caption, rows, rowKey, columns, empty = 'Nothing here yet' }: DataTableProps<R>) {
  if (rows.length === 0) return <EmptyState title={empty} />;
  return (
    <Table.ScrollContainer minWidth={320} type="native" scrollAreaProps={{ tabIndex: 0 }}>
      <Table captionSide="top" verticalSpacing="xs" striped>
        <Table.Caption ta="start">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, align = 'start' }) => (
              <Table.Th key={title} scope="col" ta={align}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ title, cell, align = 'start' }) => (
                <Table.Td key={title} ta={align}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
