import type { ItemMetadata } from '@gantry/contracts';
import { memo, useRef, useState, type CSSProperties } from 'react';
import type { Item } from '../../api/items';
import { CellSlot } from '../../plugin-ui/cell-slot';
import { EditIcon, TrashIcon } from '../../ui/icons';
import { QuickLink } from '../../ui/quick-link';
import { RecentTime } from '../../ui/relative-time';
import { LabelThumbnail } from '../thumbnail';
import type { CellProps } from '../kinds/field-view';
import { kindOf } from '../kinds/registry';
import { viewOf, viewOfField } from '../kinds/views';
import { itemLabel, labelText } from '../../api/label';
import { may } from '../../common/may';
import { idColumn, timeType, type TableColumn } from './columns';
import { EditableCell } from './cell-edit/editable-cell';
import { RowMenu } from './row-menu';
import { SelectBox } from './selection/select-box';
import type { SelectionControl } from './selection/use-selection';

export interface ItemRowProps {
  readonly metadata: ItemMetadata;
  readonly columns: readonly TableColumn[];
  /** In CSS pixels, by name of a column that was given one. */
  readonly widths: Readonly<Record<string, number | undefined>>;
  /** Name of the column that leads to the item; the id where no label is in sight. */
  readonly linkColumn: string;
  /** Field whose image is shown beside the label; undefined where the table has a column of it, or the type no image. */
  readonly image: string | undefined;
  /** When the page was shown, in milliseconds. */
  readonly now: number;
  readonly item: Item;
  readonly index: number;
  readonly selected: boolean;
  onToggle: SelectionControl['toggle'];
  onDelete(item: Item): void;
}

/** One item of the table. Plain elements, as there are many: components of the library would take several times as long to show. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { metadata, columns, widths, linkColumn, image, now, item, index, selected, onToggle, onDelete } = props;
  const [edited, setEdited] = useState<string>();
  const row = useRef<HTMLTableRowElement>(null);
  const editable = metadata.fields.filter(({ name }) => metadata.editableColumns?.includes(name));
  const closeEditor = (): void => {
    setEdited(undefined);
    row.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus();
  };
  const label = itemLabel(item, metadata);
  const address = `/content/${metadata.code}/${item.id}`;
  const spoken = `${label.slice(0, 80)} (${item.id})`;
  const opening = `${may(metadata, 'update') ? 'Edit' : 'Open'} ${spoken}`;
  return (
    <tr ref={row} aria-rowindex={index + 2} data-selected={selected || undefined} data-row={address}>
      <td className="select">
        <SelectBox item={item} label={spoken} selected={selected} onToggle={onToggle} />
      </td>
      {columns.map((column) => {
        const field = editable.find(({ name }) => name === column.name);
        const content = (
          <CellContent {...{ metadata, column, item, image, now, address }} isLink={column.name === linkColumn} />
        );
        return (
          <td key={column.name} className={classOf(column)} style={styleOf(widths[column.name])}>
            {field === undefined ? (
              content
            ) : (
              <EditableCell
                metadata={metadata}
                field={field}
                item={item}
                label={spoken}
                isOpen={edited === column.name}
                onOpen={() => setEdited(column.name)}
                onClose={closeEditor}
              >
                {content}
              </EditableCell>
            )}
          </td>
        );
      })}
      <td className="actions">
        <span className="quick-actions">
          <QuickLink className="row-action" to={address} title={opening} aria-label={opening}>
            <EditIcon />
          </QuickLink>
          {!may(metadata, 'delete') ? null : (
            <button
              type="button"
              className="row-action dangerous"
              title={`Delete ${spoken}`}
              aria-label={`Delete ${spoken}`}
              onClick={() => onDelete(item)}
            >
              <TrashIcon />
            </button>
          )}
        </span>
        <RowMenu
          key={item.id}
          type={metadata.code}
          item={item}
          label={spoken}
          mayUpdate={may(metadata, 'update')}
          mayCreate={may(metadata, 'create')}
          mayDelete={may(metadata, 'delete')}
          editable={editable.filter(({ name }) => columns.some((column) => column.name === name))}
          onEdit={setEdited}
          onDelete={onDelete}
        />
      </td>
    </tr>
  );
});

interface CellContentProps extends CellProps {
  /** Leads to the item. */
  readonly isLink: boolean;
  readonly address: string;
  readonly image: string | undefined;
  readonly now: number;
}

function CellContent({ isLink, address, image, now, ...props }: CellContentProps) {
  const { metadata, column, item } = props;
  if (isLink) {
    return (
      <QuickLink className="label-link" to={address}>
        {image === undefined ? null : <LabelThumbnail value={item.values[image]} />}
        <LabelText column={column} item={item} />
      </QuickLink>
    );
  }
  if (column.type === idColumn.type) return item.id;
  return (
    <CellSlot type={metadata.code} column={column} item={item}>
      <Cell {...props} now={now} />
    </CellSlot>
  );
}

/** Of a column that was given a width. */
function styleOf(width: number | undefined): CSSProperties | undefined {
  return width === undefined ? undefined : { maxWidth: width };
}

export function classOf({ type }: TableColumn): string | undefined {
  if (type === idColumn.type) return 'id';
  return kindOf(type).isNumeric ? 'number' : undefined;
}

/** The beginning of what the item is called in the column. */
function LabelText({ column, item }: Pick<CellProps, 'column' | 'item'>) {
  if (column.type === idColumn.type) return item.id;
  const text = labelText(item.values[column.name]);
  if (text.trim() === '') return <span className="no-value">No {column.displayName.toLocaleLowerCase()}</span>;
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return (
    <span className="clipped" dir="auto" title={shown.length > 30 ? shown : undefined}>
      {shown}
    </span>
  );
}

function Cell({ now, ...props }: CellProps & { readonly now: number }) {
  const { column, item, metadata } = props;
  const value = item.values[column.name];
  if (column.type === timeType) return <RecentTime value={value} now={now} />;
  const field = metadata.fields.find(({ name }) => name === column.name);
  if (value === null || value === undefined || value === '') return <span className="no-value">–</span>;
  const { Cell: KindCell } = field === undefined ? viewOf(column.type) : viewOfField(field);
  return <KindCell {...props} />;
}
