import { UnstyledButton } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { DownIcon, UpIcon } from '../../../ui/icons';
import { ColumnResizer } from './column-resizer';
import { isSortable, type TableColumn } from './columns';
import { classOf } from '../rows/item-row';
import { SelectPageBox } from '../selection/select-box';
import type { SelectionControl } from '../selection/use-selection';

export interface TableHeadProps {
  readonly metadata: ItemMetadata;
  readonly columns: readonly TableColumn[];
  readonly items: readonly Item[];
  readonly selection: SelectionControl;
  readonly sort: string | undefined;
  /** In CSS pixels, by name of a column that was given one. */
  readonly widths: Readonly<Record<string, number | undefined>>;
  onSort(sort: string): void;
  onResize(column: string, width: number): void;
  /** Keeps the width of a column; undefined leaves it to the table. */
  onWidth(column: string, width: number | undefined): void;
}

/** The names of the columns, by which the rows are put in order. */
export function TableHead({ metadata, columns, items, selection, sort, widths, ...does }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <td className="select">
          <SelectPageBox items={items} control={selection} />
        </td>
        {columns.map((column) => (
          <HeadCell
            key={column.name}
            column={column}
            sortable={isSortable(metadata, column.name)}
            sort={sort ?? '-id'}
            onSort={does.onSort}
            width={widths[column.name]}
            onResize={(width) => does.onResize(column.name, width)}
            onWidth={(width) => does.onWidth(column.name, width)}
          />
        ))}
        <th scope="col" className="actions">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

interface HeadCellProps {
  readonly column: TableColumn;
  readonly sortable: boolean;
  readonly sort: string;
  readonly width: number | undefined;
  onSort(sort: string): void;
  onResize(width: number): void;
  onWidth(width: number | undefined): void;
}

function HeadCell({ column, sortable, sort, width, onSort, onResize, onWidth }: HeadCellProps) {
  const className = classOf(column);
  const resizer = <ColumnResizer name={column.displayName} width={width} onResize={onResize} onCommit={onWidth} />;
  if (!sortable) {
    return (
      <th scope="col" className={className} aria-label={column.displayName} data-stop tabIndex={-1}>
        {column.displayName}
        {resizer}
      </th>
    );
  }
  const ascending = sort === column.name;
  const descending = sort === `-${column.name}`;
  return (
    <th
      scope="col"
      className={className}
      aria-label={column.displayName}
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : 'none'}
    >
      <UnstyledButton
        className="sort-button"
        data-stop
        tabIndex={-1}
        onClick={() => onSort(ascending ? `-${column.name}` : column.name)}
      >
        {column.displayName}
        {ascending ? <UpIcon size={14} /> : null}
        {descending ? <DownIcon size={14} /> : null}
      </UnstyledButton>
      {resizer}
    </th>
  );
}
