import type { ItemMetadata } from '@gantry/contracts';
import { memo } from 'react';
import { referencesIn, type Item } from '../../api/items';
import { CellSlot } from '../../plugin-ui/cell-slot';
import { ItemActions } from '../../plugin-ui/item-actions';
import { CheckIcon, EditIcon, TrashIcon } from '../../ui/icons';
import { QuickLink } from '../../ui/quick-link';
import { Timestamp } from '../../ui/timestamp';
import { itemLabel, shortText } from '../label';
import { targetType } from '../target-type';
import { Thumbnail } from '../thumbnail';
import type { TableColumn } from './columns';
import { shownNumber } from './number-digits';
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
        <td key={column.name} className={column.type === 'NUMBER' ? 'number' : undefined}>
          {column.type === 'ID' ? (
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

function Cell({
  column,
  item,
  metadata,
}: {
  readonly column: TableColumn;
  readonly item: Item;
  readonly metadata: ItemMetadata;
}) {
  const value = item.values[column.name];
  switch (column.type) {
    case 'TIME':
      return <Timestamp value={value} />;
    case 'IMAGE':
      return <Thumbnail value={value} label={`${column.displayName} of ${itemLabel(item).slice(0, 80)}`} />;
    case 'BOOLEAN':
      return value === true ? <CheckIcon aria-hidden={false} role="img" aria-label="Yes" /> : shortText(value);
    case 'REFERENCE':
      return (
        <References
          value={value}
          target={targetType(metadata.fields.find(({ name }) => name === column.name)?.reference)}
        />
      );
    case 'NUMBER':
      return shownNumber(shortText(value), column.fraction);
    default: {
      const text = shortText(value);
      // A cell shows the beginning; ten thousand characters in each row would only slow the table down.
      const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
      return (
        <span dir="auto" title={shown.length > 30 ? shown : undefined}>
          {shown}
        </span>
      );
    }
  }
}

function References({ value, target }: { readonly value: unknown; readonly target: string | undefined }) {
  const references = referencesIn(value);
  if (target === undefined) return shortText(value);
  const shown = references.slice(0, 3);
  return (
    <>
      {shown.map(({ id, label }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <QuickLink className="cell-link" to={`/content/${target}/${id}`}>
            <bdi>{label.slice(0, 80)}</bdi>
          </QuickLink>
        </span>
      ))}
      {references.length > shown.length ? ` and ${references.length - shown.length} more` : null}
    </>
  );
}
