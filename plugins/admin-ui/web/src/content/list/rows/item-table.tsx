import type { ItemMetadata } from '@gantry/contracts';
import { useVirtualizer, type Rect, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Item } from '../../../api/items';
import type { SavedScroll } from '../../last-list';
import { useFollowedLinks } from '../../../ui/page/quick-link';
import { fittingColumns, neededWidths, tableWidth } from '../columns/column-fit';
import { inOrder, labelImage, type TableColumn } from '../columns/columns';
import { ItemRow } from './item-row';
import { useRowClicks } from './use-row-clicks';
import { useFocusKeptNear } from './use-focus-kept-near';
import { useLinkColumn } from '../columns/use-link-column';
import { useItemLetters } from './use-item-letters';
import { useListKeys } from '../use-list-keys';
import { useRowKeys } from './use-row-keys';
import { useWidthOf, useWidths } from '../columns/use-widths';
import { withFractions } from '../filter/number-digits';
import type { SelectionControl } from '../selection/use-selection';
import { TableHead } from '../columns/table-head';

export interface ItemTableProps {
  readonly metadata: ItemMetadata;
  /** In order; the one that names items and the id are put where they belong. */
  readonly columns: readonly TableColumn[];
  /** They were chosen by the reader, who wants to see all of them, also by scrolling sideways. */
  readonly isChosen: boolean;
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
/** About what header, search and pager take of the window, and what the navigation does. */
const chrome = { height: 300, width: 288 };

/**
 * The items of one page (specification, section 4.5): what names them, the other columns in order, id, actions. Only rows in sight
 * are in the document.
 */
export function ItemTable(props: ItemTableProps) {
  const { metadata, items, readAt, page, selection, stale, scroll, isCompact, onDelete } = props;
  const rowHeight = isCompact ? rowHeights.compact : rowHeights.usual;
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, linkColumn, given, widths, ...sizes } = useTableColumns(props, scroller);
  const image = labelImage(metadata, columns);
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
    estimateSize: () => rowHeight,
    overscan: 4,
    initialOffset: top,
    // The first rows are rendered together with the table; its measured size is reported once it is drawn.
    observeElementRect: observeSize,
    initialRect: { width: window.innerWidth, height: Math.max(240, window.innerHeight - chrome.height) },
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
      tabIndex={-1}
    >
      <table
        className="fixed-columns"
        style={{ minWidth: tableWidth(columns, linkColumn, widths) }}
        aria-rowcount={items.length + 1}
        aria-busy={stale}
      >
        <colgroup>
          <col className="select" />
          {columns.map(({ name }) => (
            <col key={name} style={{ width: name === linkColumn ? given[name] : widths[name] }} />
          ))}
          {/* Takes what is left where the column that usually does was given a width. */}
          <col className={given[linkColumn] === undefined ? 'actions' : undefined} />
        </colgroup>
        <TableHead
          metadata={metadata}
          columns={columns}
          items={items}
          selection={selection}
          sort={props.sort}
          widths={given}
          onSort={props.onSort}
          onResize={sizes.resize}
          onWidth={sizes.commit}
        />
        <tbody>
          <Spacer height={before} width={columnCount} />
          {visible.map(({ index }) => {
            const item = items[index];
            return item === undefined ? null : (
              <ItemRow
                key={keys.get(item.id)}
                metadata={metadata}
                columns={columns}
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

/** The columns that are shown, and how wide they are: as the reader has made them, or else as their values need. */
function useTableColumns(props: ItemTableProps, scroller: React.RefObject<HTMLDivElement | null>) {
  const { metadata, items, isChosen } = props;
  const { widths: given, ...sizes } = useWidths(props.widths, props.onWidth);
  const room = useWidthOf(scroller, () => window.innerWidth - chrome.width);
  const linkColumn = useLinkColumn(metadata, props.columns);
  const all = useMemo(
    () => inOrder(withFractions(props.columns, items), linkColumn),
    [props.columns, items, linkColumn],
  );
  const widths = useMemo(() => {
    const wanted = Object.entries(given).flatMap(([name, width]) =>
      width === undefined ? [] : [[name, width] as const],
    );
    return { ...neededWidths(metadata, all, items), ...Object.fromEntries(wanted) };
  }, [metadata, all, items, given]);
  const columns = useMemo(() => {
    // The id is always there, whatever was chosen; it is the first to go.
    const kept = isChosen ? Number.MAX_SAFE_INTEGER : room;
    return fittingColumns(metadata, all, linkColumn, widths, kept);
  }, [metadata, all, linkColumn, widths, isChosen, room]);
  return { columns, linkColumn, given, widths, ...sizes };
}

function Spacer({ height, width }: { readonly height: number; readonly width: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true" className="spacer">
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}
