import type { DataColumn, DataTableProps } from '@gantry/ui';
import { Fragment, useId, type ReactNode } from 'react';
import { EmptyState } from './states';

/** A column of a page; plugins have title, cell and align of it. */
export interface TableColumn<R> extends DataColumn<R> {
  /** Its cells are the headers of their rows. */
  readonly isRowHeader?: boolean;
  /** Its title is for screen readers only. */
  readonly hidesTitle?: boolean;
  /** Of its cells, the head included. */
  readonly className?: string;
  /** The tooltip of a cell whose text may be cut off. */
  hint?(row: R): string | undefined;
  /** The content of the head, instead of the title. */
  readonly head?: ReactNode;
  readonly order?: 'ascending' | 'descending';
}

export interface TableProps<R> extends Omit<DataTableProps<R>, 'caption' | 'columns'> {
  /** The name of the table, above it. */
  readonly caption?: string;
  /** The name of the table where the page shows it elsewhere. */
  readonly label?: string;
  /** The id of the heading that names the table. */
  readonly labelledBy?: string | undefined;
  readonly columns: readonly TableColumn<NoInfer<R>>[];
  readonly className?: string;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly isStale?: boolean;
  isSelected?(row: R): boolean;
  /** Value that consecutive rows have in common, such as a day: a row above the first of them. */
  groupOf?(row: R): string;
  /** Another row below the row. */
  rowBelow?(row: R): ReactNode;
}

/** A table of rows that are all in the document. It scrolls by itself; its head stays in sight. */
export function DataTable<R>(props: TableProps<R>) {
  const { caption, label, labelledBy, rows, rowKey, columns, empty = 'No entries yet', className = '' } = props;
  const captionId = useId();
  if (rows.length === 0) return <EmptyState title={empty} />;
  return (
    <div
      className={`items ${className}`}
      data-stale={props.isStale || undefined}
      role="region"
      aria-label={label}
      aria-labelledby={caption === undefined ? labelledBy : captionId}
      tabIndex={0}
    >
      <table aria-busy={props.isStale}>
        {caption === undefined ? null : <caption id={captionId}>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeadCell key={`${index} ${column.title}`} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const below = props.rowBelow?.(row) ?? null;
            const [group, before] = [row, rows[index - 1]].map((one) =>
              one === undefined ? undefined : props.groupOf?.(one),
            );
            return (
              <Fragment key={rowKey(row)}>
                {group === before ? null : (
                  <tr className="row-group">
                    <th scope="rowgroup" colSpan={columns.length}>
                      {group}
                    </th>
                  </tr>
                )}
                <tr data-selected={props.isSelected?.(row) || undefined} data-detailed={below !== null || undefined}>
                  {columns.map((column, place) => (
                    <BodyCell key={`${place} ${column.title}`} column={column} row={row} />
                  ))}
                </tr>
                {below}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function HeadCell<R>(column: TableColumn<R>) {
  const { title, head = title, hidesTitle = false, order } = column;
  if (title === '') return <td className={classOf(column)}>{head}</td>;
  return (
    <th scope="col" className={classOf(column)} aria-sort={order}>
      {hidesTitle ? <span className="visually-hidden">{title}</span> : head}
    </th>
  );
}

function BodyCell<R>({ column, row }: { readonly column: TableColumn<R>; readonly row: R }) {
  const attributes = { className: classOf(column), title: column.hint?.(row) };
  const content = column.cell(row);
  return column.isRowHeader === true ? (
    <th scope="row" {...attributes}>
      {content}
    </th>
  ) : (
    <td {...attributes}>{content}</td>
  );
}

function classOf<R>({ align, className }: TableColumn<R>): string | undefined {
  return [className, align === 'end' ? 'number' : undefined].filter(Boolean).join(' ') || undefined;
}
