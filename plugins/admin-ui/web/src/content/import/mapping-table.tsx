import { NativeSelect, Text } from '@mantine/core';
import type { ImportProblem, ItemMetadata } from '@gantry/contracts';
import { importedFields, type ImportOrder } from './import-order';
import type { PreviewRow } from './preview';
import { reasonOf } from './problem-text';

export interface MappingTableProps {
  readonly metadata: ItemMetadata;
  readonly order: ImportOrder;
  /** Problems that a check or an import found. */
  readonly problems: readonly ImportProblem[];
  onChange(fieldOf: ImportOrder['fieldOf']): void;
}

/** The first rows of the file, or the first ones with problems, under the names of its columns, and the field that each column becomes. */
export function MappingTable({ metadata, order, problems, onChange }: MappingTableProps) {
  const { columns, rows } = order.preview;
  const isSkipped = (column: string): boolean => !isId(order, column) && (order.fieldOf[column] ?? '') === '';
  return (
    <div className="items mapping" tabIndex={0} role="region" aria-label="Columns of the file">
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              Line
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                <bdi className="clipped">{column.slice(0, 120)}</bdi>
                <FieldChoice metadata={metadata} order={order} column={column} onChange={onChange} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shownRows(rows, problems).map(({ line, values }) => (
            <tr key={line}>
              <td className="number">{line}</td>
              {columns.map((column, at) => {
                const problem = problems.find((one) => one.line === line && one.path === order.fieldOf[column]);
                return (
                  <td
                    key={column}
                    dir="auto"
                    data-skipped={isSkipped(column) || undefined}
                    data-wrong={problem !== undefined || undefined}
                  >
                    {(values[at] ?? '').slice(0, 60)}
                    {problem === undefined ? null : <small>{reasonOf(problem)}</small>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Rows with problems where there are any that are known. */
function shownRows(rows: readonly PreviewRow[], problems: readonly ImportProblem[]): readonly PreviewRow[] {
  const lines = new Set(problems.map(({ line }) => line));
  const wrong = rows.filter(({ line }) => lines.has(line));
  return wrong.length === 0 ? rows.slice(0, 5) : wrong.slice(0, 20);
}

/** The column by which the items of the platform are found. */
function isId({ match }: ImportOrder, column: string): boolean {
  return match === 'id' && column === 'id';
}

function FieldChoice({
  metadata,
  order,
  column,
  onChange,
}: Omit<MappingTableProps, 'problems'> & { readonly column: string }) {
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
