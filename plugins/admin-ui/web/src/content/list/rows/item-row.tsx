import type { ItemMetadata } from '@gantry/contracts';
import { memo, useRef, useState } from 'react';
import type { Item } from '../../../api/items';
import { CellSlot } from '../../../plugin-ui/cell-slot';
import { QuickLink } from '../../../ui/page/quick-link';
import { RecentTime } from '../../../ui/time/relative-time';
import { LabelThumbnail } from '../../thumbnail';
import type { CellProps } from '../../kinds/field-view';
import { kindOf } from '../../kinds/registry';
import { viewOf, viewOfField } from '../../kinds/views';
import { itemLabel, labelText } from '../../../api/label';
import { may } from '../../../common/may';
import { idColumn, timeType, type TableColumn } from '../columns/columns';
import { EditableCell } from '../cell-edit/editable-cell';
import { RowMenu } from './row-menu';
import { SelectBox } from '../selection/select-box';
import type { SelectionControl } from '../selection/use-selection';

export interface ItemRowProps {
  readonly metadata: ItemMetadata;
  readonly columns: readonly TableColumn[];
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
  const { metadata, columns, linkColumn, image, now, item, index, selected, onToggle, onDelete } = props;
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
  return (
    <tr ref={row} aria-rowindex={index + 2} data-index={index} data-selected={selected || undefined} data-row={address}>
      <td className="select">
        <SelectBox item={item} label={spoken} selected={selected} onToggle={onToggle} />
      </td>
      {columns.map((column) => {
        const field = editable.find(({ name }) => name === column.name);
        const isLabel = column.name === linkColumn;
        const content = isLabel ? (
          <LabelCell {...{ metadata, column, item, image, address }} />
        ) : (
          <CellContent {...{ metadata, column, item, now }} />
        );
        return (
          <td key={column.name} className={isLabel ? 'label' : classOf(column)}>
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

interface LabelCellProps extends CellProps {
  readonly address: string;
  readonly image: string | undefined;
}

/** Names the item and leads to it, with its picture. */
function LabelCell({ address, image, ...props }: LabelCellProps) {
  return (
    <QuickLink className="label-link" to={address}>
      {image === undefined ? null : <LabelThumbnail value={props.item.values[image]} />}
      <LabelText {...props} />
    </QuickLink>
  );
}

/** Any other value of an item, drawn by the plugin that draws the cells of its column, or by its kind. */
export function CellContent(props: CellProps & { readonly now: number }) {
  const { metadata, column, item } = props;
  if (column.type === idColumn.type) return item.id;
  return (
    <CellSlot type={metadata.code} column={column} item={item}>
      <Cell {...props} />
    </CellSlot>
  );
}

export function classOf({ type }: TableColumn): string | undefined {
  if (type === idColumn.type) return 'id number';
  if (type === timeType) return 'time number';
  return kindOf(type).isAtEnd ? 'number' : undefined;
}

/** The beginning of what the item is called in the column; of one that has no such value, its label. */
export function LabelText({ column, item, metadata }: CellProps) {
  const own = column.type === idColumn.type ? item.id : labelText(item.values[column.name]);
  const text = own.trim() === '' ? itemLabel(item, metadata) : own;
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return (
    <b className="clipped" dir="auto" title={shown.length > 30 ? shown : undefined}>
      {shown}
    </b>
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
