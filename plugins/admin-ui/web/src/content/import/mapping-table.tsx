import { NativeSelect, Table, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { importedFields, type ImportOrder } from './import-order';

export interface MappingTableProps {
  readonly metadata: ItemMetadata;
  readonly order: ImportOrder;
  onChange(fieldOf: ImportOrder['fieldOf']): void;
}

/** The columns of the file, the field that each becomes, and the first values. */
export function MappingTable({ metadata, order, onChange }: MappingTableProps) {
  const { columns, rows } = order.preview;
  const used = new Set(Object.values(order.fieldOf));
  return (
    <Table.ScrollContainer minWidth={560} type="native" tabIndex={0} role="region" aria-label="Columns of the file">
      <Table verticalSpacing={6} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="26%">In the file</Table.Th>
            <Table.Th w="32%">Becomes</Table.Th>
            <Table.Th>First values</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column, index) => (
            <Table.Tr key={column}>
              <Table.Th scope="row" fw={500} className="page-title">
                <bdi>{column.slice(0, 120)}</bdi>
              </Table.Th>
              <Table.Td>
                {order.match === 'id' && column === 'id' ? (
                  <Text size="sm">finds the item</Text>
                ) : (
                  <NativeSelect
                    size="xs"
                    aria-label={`Field for ${column.slice(0, 120)}`}
                    value={order.fieldOf[column] ?? ''}
                    onChange={(event) => onChange({ ...order.fieldOf, [column]: event.currentTarget.value })}
                    data={[
                      { value: '', label: 'Skip column' },
                      ...importedFields(metadata).map(({ name, displayName, required, derivedFrom }) => ({
                        value: name,
                        label: `${displayName}${required && derivedFrom === undefined ? ' *' : ''}`,
                        disabled: used.has(name) && order.fieldOf[column] !== name,
                      })),
                    ]}
                  />
                )}
              </Table.Td>
              <Table.Td className="clipped">
                <Text size="sm" c="dimmed" component="span" dir="auto">
                  {rows
                    .map((row) => (row[index] ?? '').slice(0, 60))
                    .filter((value) => value !== '')
                    .slice(0, 3)
                    .join(' · ')}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
