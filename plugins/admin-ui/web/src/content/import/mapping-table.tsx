import { NativeSelect, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { importedFields, type ImportOrder } from './import-order';

export interface MappingTableProps {
  readonly metadata: ItemMetadata;
  readonly order: ImportOrder;
  onChange(fieldOf: ImportOrder['fieldOf']): void;
}

/** The first rows of the file under the names of its columns, and the field that each column becomes. */
export function MappingTable({ metadata, order, onChange }: MappingTableProps) {
  const { columns, rows } = order.preview;
  const isSkipped = (column: string): boolean => !isId(order, column) && (order.fieldOf[column] ?? '') === '';
  return (
    <div className="items mapping" tabIndex={0} role="region" aria-label="Columns of the file">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                <bdi className="clipped">{column.slice(0, 120)}</bdi>
                <FieldChoice metadata={metadata} order={order} column={column} onChange={onChange} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column, at) => (
                <td key={column} dir="auto" data-skipped={isSkipped(column) || undefined}>
                  {(row[at] ?? '').slice(0, 60)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The column by which the items of the platform are found. */
function isId({ match }: ImportOrder, column: string): boolean {
  return match === 'id' && column === 'id';
}

function FieldChoice({ metadata, order, column, onChange }: MappingTableProps & { readonly column: string }) {
  const used = new Set(Object.values(order.fieldOf));
  if (isId(order, column)) return <Text size="sm">finds the item</Text>;
  return (
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
  );
}
