import { UnstyledButton } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useVirtualizer, type Rect, type Virtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Item } from '../../api/items';
import type { SavedScroll } from '../last-list';
import { findClaim } from '../../plugin-ui/claims';
import { useUis } from '../../plugin-ui/ui-context';
import { useFollowedLinks } from '../../ui/quick-link';
import { DownIcon, UpIcon } from '../../ui/icons';
import { ColumnResizer } from './column-resizer';
import { isSortable, labelImage, linkColumnOf, type TableColumn } from './columns';
import { classOf, ItemRow } from './item-row';
import { useRowClicks } from './use-row-clicks';
import { withFractions } from './number-digits';
import { SelectPageBox } from './selection/select-box';
import type { SelectionControl } from './selection/use-selection';

export interface ItemTableProps {
  readonly metadata: ItemMetadata;
  /** From the identifier to the last one before the actions. */
  readonly columns: readonly TableColumn[];
  readonly items: readonly Item[];
  /** When they were read, in milliseconds. */
  readonly readAt: number;
  readonly sort: string | undefined;
  /** Changes when another page or filter is shown: only then the table begins at its top again. */
  readonly page: string;
  readonly selection: SelectionControl;
  /** The rows belong to another page or filter than the address says; the right ones are on their way. */
  readonly stale: boolean;
  readonly scroll: SavedScroll;
  /** In CSS pixels, by name of a column that was given one. */
  readonly widths: Readonly<Record<string, number>>;
  readonly isCompact: boolean;
  /** Keeps the width of a column; undefined leaves it to the table. */
  onWidth(column: string, width: number | undefined): void;
  onSort(sort: string): void;
  onDelete(item: Item): void;
}

/** By the browser's own notice, which comes after the layout that it makes anyway: asking for the size would make it lay out twice. */
function observeSize({ scrollElement }: Virtualizer<HTMLDivElement, Element>, announce: (size: Rect) => void) {
  const observer = new ResizeObserver(([entry]) => {
    if (entry !== undefined) announce({ width: entry.contentRect.width, height: entry.contentRect.height });
  });
  if (scrollElement !== null) observer.observe(scrollElement);
  return () => observer.disconnect();
}

const rowHeights = { usual: 44, compact: 36 };
/** About what header, search and pager take of the window. */
const chromeHeight = 300;

/** The items of one page (specification, section 4.5): id, columns in order, creation time, actions. Only rows in sight are in the document. */
export function ItemTable(props: ItemTableProps) {
  const { metadata, items, readAt, page, selection, stale, scroll, isCompact, onDelete } = props;
  const { widths, resize, commit } = useWidths(props);
  const rowHeight = isCompact ? rowHeights.compact : rowHeights.usual;
  const columns = useMemo(() => withFractions(props.columns, items), [props.columns, items]);
  const uis = useUis();
  const linkColumn = useMemo(
    () => linkColumnOf(columns, (column) => findClaim(uis, 'cells', metadata.code, column) !== undefined),
    [columns, uis, metadata.code],
  );
  const image = labelImage(metadata, columns);
  const scroller = useRef<HTMLDivElement>(null);
  useFollowedLinks(scroller);
  useRowClicks(scroller);
  useFocusKeptNear(scroller);
  const [top] = useState(() => scroll.restore());
  useLayoutEffect(() => {
    const element = scroller.current;
    if (top > 0) element?.scrollTo({ top });
    return () => scroll.save(element?.scrollTop ?? 0);
  }, [scroll, top]);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    initialOffset: top,
    // The first rows are rendered together with the table; its measured size is reported once it is drawn.
    observeElementRect: observeSize,
    initialRect: { width: window.innerWidth, height: Math.max(240, window.innerHeight - chromeHeight) },
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);
  const keys = useRowKeys(items);
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current !== page) scroller.current?.scrollTo({ top: 0 });
    shownPage.current = page;
  }, [page]);
  const visible = rows.getVirtualItems();
  const before = visible[0]?.start ?? 0;
  const after = rows.getTotalSize() - (visible.at(-1)?.end ?? 0);
  const columnCount = columns.length + 2;
  return (
    <div
      className="items"
      ref={scroller}
      data-stale={stale || undefined}
      data-compact={isCompact || undefined}
      role="region"
      aria-label={`Items of ${metadata.displayName}`}
      tabIndex={0}
    >
      <table aria-rowcount={items.length + 1} aria-busy={stale}>
        <TableHead {...props} columns={columns} widths={widths} onResize={resize} onWidth={commit} />
        <tbody>
          <Spacer height={before} width={columnCount} />
          {visible.map(({ index }) => {
            const item = items[index];
            return item === undefined ? null : (
              <ItemRow
                key={keys.get(item.id)}
                metadata={metadata}
                columns={columns}
                widths={widths}
                linkColumn={linkColumn}
                image={image}
                now={readAt}
                item={item}
                index={index}
                selected={selection.isSelected(item.id)}
                onToggle={selection.toggle}
                onDelete={onDelete}
              />
            );
          })}
          <Spacer height={after} width={columnCount} />
        </tbody>
      </table>
    </div>
  );
}

type TableHeadProps = Pick<
  ItemTableProps,
  'metadata' | 'columns' | 'items' | 'selection' | 'sort' | 'onSort' | 'onWidth'
> & {
  readonly widths: Readonly<Record<string, number | undefined>>;
  onResize(column: string, width: number): void;
};

function TableHead({ metadata, columns, items, selection, sort, onSort, widths, onResize, onWidth }: TableHeadProps) {
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
            onSort={onSort}
            width={widths[column.name]}
            onResize={(width) => onResize(column.name, width)}
            onWidth={(width) => onWidth(column.name, width)}
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
  const style = width === undefined ? widthOfHead(column.displayName) : { width, minWidth: width, maxWidth: width };
  const resizer = <ColumnResizer name={column.displayName} width={width} onResize={onResize} onCommit={onWidth} />;
  if (!sortable) {
    return (
      <th scope="col" className={className} style={style} aria-label={column.displayName}>
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
      style={style}
      aria-label={column.displayName}
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : 'none'}
    >
      <UnstyledButton className="sort-button" onClick={() => onSort(ascending ? `-${column.name}` : column.name)}>
        {column.displayName}
        {ascending ? <UpIcon size={14} /> : null}
        {descending ? <DownIcon size={14} /> : null}
      </UnstyledButton>
      {resizer}
    </th>
  );
}

/** The widths that are kept, and those that are being dragged or not stored yet. */
function useWidths({ widths: kept, onWidth }: Pick<ItemTableProps, 'widths' | 'onWidth'>) {
  const [changed, setChanged] = useState<Readonly<Record<string, number | undefined>>>({});
  const widths = useMemo(() => ({ ...kept, ...changed }), [kept, changed]);
  const resize = (column: string, width: number | undefined): void => setChanged({ ...changed, [column]: width });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    widths,
    resize,
    commit(column: string, width: number | undefined): void {
      resize(column, width);
      // Keys come one after the other; the last one is stored.
      clearTimeout(timer.current);
      timer.current = setTimeout(() => onWidth(column, width), storeAfterMs);
    },
  };
}

const storeAfterMs = 300;

/** So that a short name takes one line, and one of many words two or three, not one for each word. */
function widthOfHead({ length }: string): CSSProperties | undefined {
  if (length <= 12) return { whiteSpace: 'nowrap' };
  return length > 20 ? { minWidth: `${Math.min(28, Math.ceil(length / 2) + 2)}ch` } : undefined;
}

function Spacer({ height, width }: { readonly height: number; readonly width: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}

type RowKeys = ReadonlyMap<string, number>;

/**
 * Keys for the rows of items, by their ids. An item that stays keeps its row. Where none stays, as on the next page, the new
 * ones take over the rows: the browser then changes texts instead of creating rows, which takes twice as long. Where
 * some stay, it would have to move rows about, and the focus would go with the row of an item that has gone to another one.
 */
function useRowKeys(items: readonly Item[]): RowKeys {
  const [last, setLast] = useState(() => ({ items, keys: nextRowKeys(items) }));
  if (last.items === items) return last.keys;
  const keys = nextRowKeys(items, last.keys);
  setLast({ items, keys });
  return keys;
}

function nextRowKeys(items: readonly Item[], before: RowKeys = new Map()): RowKeys {
  const free = items.some(({ id }) => before.has(id)) ? [] : [...before.values()];
  let unused = Math.max(-1, ...before.values()) + 1;
  const keyFor = (id: string): number => {
    const key = before.get(id) ?? free.shift();
    if (key !== undefined) return key;
    unused += 1;
    return unused - 1;
  };
  return new Map(items.map(({ id }) => [id, keyFor(id)]));
}

/**
 * A row goes with its item, or when it is scrolled out of sight. If it had the focus, the element around gets it, so that
 * keys go on where the reader was, and scroll on.
 */
function useFocusKeptNear(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = around.current;
    let focused: EventTarget | null = null;
    const note = ({ target }: FocusEvent): void => {
      focused = target;
    };
    const observer = new MutationObserver(() => {
      const isGone = focused instanceof Element && !focused.isConnected;
      if (isGone && document.activeElement === document.body) element?.focus({ preventScroll: true });
    });
    // What had the focus before it was anywhere else is no longer of interest.
    window.addEventListener('focusin', note);
    if (element !== null) observer.observe(element, { childList: true, subtree: true });
    return () => {
      window.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [around]);
}
