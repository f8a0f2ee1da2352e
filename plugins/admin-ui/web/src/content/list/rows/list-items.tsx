import { useQuery } from '@tanstack/react-query';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { Item, ListFilter, Page } from '../../../api/items';
import { listQuery } from '../../../api/queries';
import { FirstPageButton } from '../../../ui/page/first-page-button';
import { lazyPart } from '../../../ui/lazy-part';
import { ErrorState, LoadingState } from '../../../ui/states';
import { useMetadata } from '../../content-layout';
import type { SavedScroll } from '../../last-list';
import type { BulkAction } from '../bulk/bulk-dialog';
import type { ItemCardsProps } from './item-cards';
import { ItemTable } from './item-table';
import { ListFoot } from '../list-foot';
import { LazyBulkDialog, LazyDeleteDialog } from '../menu/list-dialogs';
import { NoItems } from './no-items';
import type { SelectionBarProps } from '../selection/selection-bar';
import { useSelection, type Selection, type SelectionControl } from '../selection/use-selection';
import type { ShownList } from '../use-shown-list';
import { useTotal } from '../use-total';
import { Code, Text } from '@mantine/core';

/** Where a table has no room. */
const narrow = window.matchMedia('(max-width: 640px)');

/** Whether the window is as narrow as that of a phone. */
function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

export interface ListItemsProps {
  readonly list: ShownList;
  readonly scroll: SavedScroll;
  /** The boxes that select items are shown also where they are not always in sight. */
  readonly isSelecting: boolean;
  /** The selection was given up, or used. */
  onSelected(): void;
}

/** The page of items with all that depends on it: separate from the part above, which a response need not render again. */
export function ListItems({ list, scroll, isSelecting, onSelected }: ListItemsProps) {
  const metadata = useMetadata();
  const { control, request } = list;
  const { state } = control;
  const filter: ListFilter = { criteria: request.criteria, q: request.q };
  const page = useListPage(list);
  const total = useTotal(metadata.code, list);
  const [deleting, setDeleting] = useState<Item>();
  const [action, setAction] = useState<BulkAction>();
  const selected = useSelection(page.shown?.items ?? noItems, JSON.stringify(filter), page.isStale);
  const body = useRef<HTMLDivElement>(null);
  // The focused element is gone with the item or the selection; the table is next to where the reader was.
  const focusTable = (): void => body.current?.querySelector<HTMLElement>('.items')?.focus();
  const clearSelection = (): void => {
    selected.clear();
    onSelected();
    focusTable();
  };
  const selectMatches = (): void => {
    selected.selectMatches();
    focusTable();
  };
  const hasSelection = selected.selection.kind === 'matches' || selected.selection.items.size > 0;
  return (
    <>
      {page.error === null ? null : (
        <ErrorState error={page.error} title="The items could not be loaded" onRetry={() => void page.refetch()} />
      )}
      <FirstPageButton error={page.error} after={state.after} openFirst={control.openFirst} />
      <Notices page={page.shown} missing={list.missing} refused={list.refused} />
      <div className="list-body surface" data-empty={page.shown?.items.length === 0 || undefined} ref={body}>
        {page.shown === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : page.shown.items.length === 0 ? (
          <NoItems control={control} />
        ) : (
          <ShownItems
            list={list}
            page={page}
            items={page.shown.items}
            selection={selected}
            scroll={scroll}
            isSelecting={isSelecting || hasSelection}
            onDelete={setDeleting}
          />
        )}
        {page.shown === undefined || isEmptyStart(page.shown, state.after) ? null : (
          <ListFoot
            key={JSON.stringify(filter)}
            metadata={metadata}
            list={list}
            page={page.shown}
            stale={page.isStale}
            total={total}
            selected={hasSelection ? textOf(selected.selection) : undefined}
            selectionBar={
              <SelectionBar
                list={list}
                control={{ ...selected, clear: clearSelection, selectMatches }}
                text={textOf(selected.selection)}
                appliesAll={list.refused.length === 0 && page.shown.skipped.length === 0}
                total={total.text}
                onAct={setAction}
              />
            }
          />
        )}
      </div>
      <LazyDeleteDialog
        metadata={metadata}
        item={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => {
          if (deleting !== undefined) selected.settle(deleting, true);
          setDeleting(undefined);
          focusTable();
        }}
      />
      <LazyBulkDialog
        metadata={metadata}
        action={action}
        selection={selected.selection}
        filter={filter}
        onClose={() => setAction(undefined)}
        onDone={selected.settle}
        onFinished={clearSelection}
      />
    </>
  );
}

interface ShownItemsProps {
  readonly list: ShownList;
  readonly page: ListPage;
  readonly items: readonly Item[];
  readonly selection: SelectionControl;
  readonly scroll: SavedScroll;
  readonly isSelecting: boolean;
  onDelete(item: Item): void;
}

/** In a table, or as cards where it has no room. */
function ShownItems({ list, page, items, selection, scroll, isSelecting, onDelete }: ShownItemsProps) {
  const metadata = useMetadata();
  const { request, control } = list;
  const shown = {
    ...{ metadata, items, selection, scroll },
    columns: list.columns,
    readAt: page.readAt,
    page: JSON.stringify(request),
    stale: page.isStale,
  };
  if (useNarrow()) return <ItemCards {...shown} isSelecting={isSelecting} />;
  return (
    <ItemTable
      {...shown}
      isChosen={list.isChosen}
      sort={request.sort}
      widths={list.widths}
      isCompact={list.isCompact}
      onWidth={list.setWidth}
      onSort={(sort) => control.change({ sort })}
      onDelete={onDelete}
    />
  );
}

interface ListPage {
  /** Undefined until the first page of these filters has come. */
  readonly shown: Page | undefined;
  /** It is another page than the address says. */
  readonly isStale: boolean;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
  readonly error: unknown;
  refetch(): Promise<unknown>;
}

/** The page that the address says; when it cannot be loaded, the last one of the same filters. */
function useListPage(list: ShownList): ListPage {
  const metadata = useMetadata();
  const { request } = list;
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useQuery({
    ...listQuery(metadata.code, request),
    enabled: !list.waiting,
  });
  const filters = JSON.stringify([request.criteria, request.q]);
  const [last, setLast] = useState<{ readonly page: Page; readonly filters: string; readonly readAt: number }>();
  if (data !== undefined && !isPlaceholderData && last?.page !== data) {
    setLast({ page: data, filters, readAt: dataUpdatedAt });
  }
  const kept = error !== null && last?.filters === filters ? last.page : undefined;
  return {
    // The page before stays in sight while another one is on its way, which was never read yet.
    readAt: dataUpdatedAt || (last?.readAt ?? 0),
    shown: data ?? kept,
    isStale: isPlaceholderData || (data === undefined && kept !== undefined),
    error,
    refetch,
  };
}

function textOf(selection: Selection): string {
  return selection.kind === 'matches' ? 'All matching items selected' : `${selection.items.size} selected`;
}

const ItemCards = lazyPart<ItemCardsProps>(
  async () => (await import('./item-cards')).ItemCards,
  () => true,
);

const SelectionBar = lazyPart<SelectionBarProps>(
  async () => (await import('../selection/selection-bar')).SelectionBar,
  () => true,
);

const noItems: readonly Item[] = [];

/** No pages to step through. */
function isEmptyStart(page: Page, after: string | undefined): boolean {
  return page.items.length === 0 && after === undefined;
}

interface NoticesProps {
  readonly page: Page | undefined;
  /** Columns and sorting that the type does not have (any more). */
  readonly missing: readonly string[];
  /** Why the platform refuses a criterion. */
  readonly refused: readonly string[];
}

/** Says what of the address was left out: the list opens anyway. */
function Notices({ page, missing, refused }: NoticesProps) {
  const skipped = page?.skipped.map(({ field }) => field) ?? [];
  return (
    <div role="status">
      {refused.map((reason, index) => (
        <Text key={index} size="sm" mt="xs" className="long-text">
          A filter is not applied: {reason}. Remove it or change its value.
        </Text>
      ))}
      {skipped.length === 0 ? null : (
        <Notice text="Not applied, because the type cannot be filtered by it:" names={skipped} />
      )}
      {missing.length === 0 ? null : (
        <Notice text="Left out, because the type no longer has it as a column or cannot sort by it:" names={missing} />
      )}
    </div>
  );
}

function Notice({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {text}{' '}
      {[...new Set(names)].map((name) => (
        <Code key={name} mr="xxs">
          {name.slice(0, 100)}
        </Code>
      ))}
    </Text>
  );
}
