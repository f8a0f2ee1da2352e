import type { ItemMetadata } from '@gantry/contracts';
import { memo } from 'react';
import type { Item } from '../../api/items';
import { CellSlot } from '../../plugin-ui/cell-slot';
import { ItemActions } from '../../plugin-ui/item-actions';
import { EditIcon, TrashIcon } from '../../ui/icons';
import { QuickLink } from '../../ui/quick-link';
import { Timestamp } from '../../ui/timestamp';
import type { CellProps } from '../kinds/field-view';
import { kindOf } from '../kinds/registry';
import { viewOf } from '../kinds/views';
import { itemLabel } from '../../api/label';
import { idColumn, timeType, type TableColumn } from './columns';
import { SelectBox } from './selection/select-box';
import type { SelectionControl } from './selection/use-selection';

export interface ItemRowProps {
  readonly metadata: ItemMetadata;
  readonly columns: readonly TableColumn[];
  readonly item: Item;
  readonly index: number;
  readonly selected: boolean;
  onToggle: SelectionControl['toggle'];
  onDelete(item: Item): void;
}

/** One item of the table. Plain elements, as there are many: components of the library would take several times as long to show. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { metadata, columns, item, index, selected, onToggle, onDelete } = props;
  const label = itemLabel(item);
  const address = `/content/${metadata.code}/${item.id}`;
  const spoken = `${label.slice(0, 80)} (${item.id})`;
  const opening = `${metadata.readOnly ? 'Open' : 'Edit'} ${spoken}`;
  return (
    <tr aria-rowindex={index + 2} data-selected={selected || undefined}>
      <td className="select">
        <SelectBox item={item} label={spoken} selected={selected} onToggle={onToggle} />
      </td>
      {columns.map((column) => (
        <td key={column.name} className={kindOf(column.type).isNumeric ? 'number' : undefined}>
          {column.type === idColumn.type ? (
            <QuickLink className="cell-link" to={address}>
              {item.id}
            </QuickLink>
          ) : (
            <CellSlot type={metadata.code} column={column} item={item}>
              <Cell column={column} item={item} metadata={metadata} />
            </CellSlot>
          )}
        </td>
      ))}
      <td className="actions">
        <span className="row-actions">
          <QuickLink className="row-action" to={address} title={opening} aria-label={opening}>
            <EditIcon />
          </QuickLink>
          {metadata.readOnly ? null : (
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
          <ItemActions type={metadata.code} item={item} label={spoken} />
        </span>
      </td>
    </tr>
  );
});

function Cell(props: CellProps) {
  const { column, item } = props;
  if (column.type === timeType) return <Timestamp value={item.values[column.name]} />;
  const { Cell: KindCell } = viewOf(column.type);
  return <KindCell {...props} />;
}
