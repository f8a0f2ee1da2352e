import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Item } from '../../../api/items';
import { itemLabel, labelText } from '../../../api/label';
import { QuickLink, useFollowedLinks } from '../../../ui/page/quick-link';
import { isUrgent } from '../../../ui/state-mark';
import { kindOf } from '../../kinds/registry';
import { LabelThumbnail } from '../../thumbnail';
import { idColumn, isOwnColumn, labelImage, stateField, type TableColumn } from '../columns/columns';
import { CellContent, LabelText } from './item-row';
import type { ItemTableProps } from './item-table';
import { withFractions } from '../filter/number-digits';
import { SelectBox } from '../selection/select-box';
import { useFocusKeptNear } from './use-focus-kept-near';
import { useItemLetters } from './use-item-letters';
import { useListKeys } from '../use-list-keys';
import { useRowClicks } from './use-row-clicks';
import { useRowKeys } from './use-row-keys';
import { useLinkColumn } from '../columns/use-link-column';

export type ItemCardsProps = Pick<
  ItemTableProps,
  'metadata' | 'columns' | 'items' | 'readAt' | 'page' | 'selection' | 'stale' | 'scroll'
> & {
  /** The boxes that select items are in sight. */
  readonly isSelecting: boolean;
};

/** Parts of a card beside the name of its item. */
interface CardParts {
  readonly link: TableColumn;
  readonly below: readonly TableColumn[];
  readonly number: TableColumn | undefined;
  readonly state: TableColumn | undefined;
}

/** In CSS pixels, until a card is drawn. */
const cardHeight = 69;

/** The items of one page where there is no room for a table: of its columns, those that identify it best. */
export function ItemCards(props: ItemCardsProps) {
  const { metadata, items, readAt, page, selection, stale, scroll, isSelecting } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const linkColumn = useLinkColumn(metadata, props.columns);
  const parts = useMemo(
    () => partsOf(metadata, withFractions(props.columns, items), linkColumn),
    [metadata, props.columns, items, linkColumn],
  );
  const image = labelImage(metadata, []);
  useFollowedLinks(scroller);
  useRowClicks(scroller);
  useFocusKeptNear(scroller);
  useListKeys(scroller, useItemLetters(metadata));
  const [top] = useState(() => scroll.restore());
  useLayoutEffect(() => {
    const element = scroller.current;
    if (top > 0) element?.scrollTo({ top });
    return () => scroll.save(element?.scrollTop ?? 0);
  }, [scroll, top]);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => cardHeight,
    overscan: 4,
    initialOffset: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  const keys = useRowKeys(items);
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current !== page) scroller.current?.scrollTo({ top: 0 });
    shownPage.current = page;
  }, [page]);
  const visible = rows.getVirtualItems();
  return (
    <div
      className="items cards"
      ref={scroller}
      data-stale={stale || undefined}
      role="region"
      aria-label={`Items of ${metadata.displayName}`}
      tabIndex={-1}
    >
      <ul
        aria-busy={stale}
        style={{
          paddingTop: visible[0]?.start ?? 0,
          paddingBottom: rows.getTotalSize() - (visible.at(-1)?.end ?? 0),
        }}
      >
        {visible.map(({ index }) => {
          const item = items[index];
          return item === undefined ? null : (
            <li
              key={keys.get(item.id)}
              ref={rows.measureElement}
              data-index={index}
              data-row={`/content/${metadata.code}/${item.id}`}
              data-selected={selection.isSelected(item.id) || undefined}
            >
              {isSelecting ? (
                <SelectBox
                  item={item}
                  label={`${itemLabel(item, metadata).slice(0, 80)} (${item.id})`}
                  selected={selection.isSelected(item.id)}
                  onToggle={selection.toggle}
                />
              ) : null}
              <Card metadata={metadata} item={item} parts={parts} image={image} now={readAt} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface CardProps {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  readonly parts: CardParts;
  readonly image: string | undefined;
  readonly now: number;
}

function Card({ metadata, item, parts, image, now }: CardProps) {
  const { link, below, number, state } = parts;
  const cell = (column: TableColumn) => <CellContent metadata={metadata} column={column} item={item} now={now} />;
  return (
    <>
      {image === undefined ? null : <LabelThumbnail value={item.values[image]} size={44} />}
      <QuickLink className="label-link" to={`/content/${metadata.code}/${item.id}`}>
        <LabelText metadata={metadata} column={link} item={item} />
      </QuickLink>
      <span className="card-below">
        {below
          .filter(({ name }) => labelText(item.values[name]) !== '')
          .map((column, index) => (
            <span key={column.name}>
              {index === 0 ? '' : ' · '}
              {cell(column)}
            </span>
          ))}
      </span>
      {number === undefined || labelText(item.values[number.name]) === '' ? null : (
        <span className="card-number">{cell(number)}</span>
      )}
      {state === undefined ? null : <span className="card-state">{cell(state)}</span>}
    </>
  );
}

/** One of its options is a state in which somebody must act. */
function asksForPeople(field: FormField | undefined): boolean {
  return Object.values(field?.optionColors ?? {}).some((colour) => isUrgent(colour));
}

function partsOf(metadata: ItemMetadata, columns: readonly TableColumn[], linkColumn: string): CardParts {
  const link = columns.find(({ name }) => name === linkColumn) ?? idColumn;
  const others = columns.filter((column) => column !== link && !isOwnColumn(column));
  const states = others.filter((column) => stateField(metadata, column) !== undefined);
  const state = states.find((column) => asksForPeople(stateField(metadata, column))) ?? states[0];
  const number = others.find(({ type }) => kindOf(type).isNumeric);
  const below = others.filter((column) => column !== state && column !== number && kindOf(column.type).isOnCards);
  return { link, below: below.slice(0, 2), number, state };
}
