import type { ItemMetadata } from '@gantry/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Item, ListFilter, ListRequest, Page } from '../../api/items';
import { listQuery } from '../../api/queries';
import { FirstPageButton } from '../../ui/first-page-button';
import { ErrorState, LoadingState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import { ChangedCount } from '../live/changed-count';
import type { SavedScroll } from '../last-list';
import { may } from '../../common/may';
import type { BulkAction } from './bulk/bulk-dialog';
import { idColumn } from './columns';
import { ExportMenu } from './export-menu';
import { chosenPages, matchingPages } from './export-pages';
import { ItemTable } from './item-table';
import { LazyBulkDialog, LazyDeleteDialog } from './list-dialogs';
import { NoItems } from './no-items';
import { SelectionBar } from './selection/selection-bar';
import { useSelection, type Selection } from './selection/use-selection';
import type { ShownList } from './use-shown-list';
import { Code, Group, Text } from '@mantine/core';
import { pageSizes } from '../../ui/page-sizes';
import { PageSteps } from '../../ui/page-steps';
import type { ListControl } from './list-state';
import { ShownCount } from './shown-count';

/** The page of items with all that depends on it: separate from the part above, which a response need not render again. */
export function ListItems({ list, scroll }: { readonly list: ShownList; readonly scroll: SavedScroll }) {
  const metadata = useMetadata();
  const { control, request } = list;
  const { state } = control;
  const filter: ListFilter = { criteria: request.criteria, q: request.q };
  const page = useListPage(list);
  const [deleting, setDeleting] = useState<Item>();
  const [action, setAction] = useState<BulkAction>();
  const selected = useSelection(page.shown?.items ?? noItems, JSON.stringify(filter), page.isStale);
  const body = useRef<HTMLDivElement>(null);
  // What had the focus is gone with the item or the selection; its table is next to where the reader was.
  const focusTable = (): void => body.current?.querySelector<HTMLElement>('.items')?.focus();
  const clearSelection = (): void => {
    selected.clear();
    focusTable();
  };
  const selectMatches = (): void => {
    selected.selectMatches();
    focusTable();
  };
  const columns = useMemo(() => [idColumn, ...list.columns], [list.columns]);
  return (
    <>
      {page.error === null ? null : (
        <ErrorState error={page.error} title="The items could not be loaded" onRetry={() => void page.refetch()} />
      )}
      <FirstPageButton error={page.error} after={state.after} openFirst={control.openFirst} />
      <Notices page={page.shown} missing={list.missing} refused={list.refused} />
      <div className="list-body" ref={body}>
        {page.shown === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : page.shown.items.length === 0 ? (
          <NoItems control={control} />
        ) : (
          <ItemTable
            metadata={metadata}
            columns={columns}
            items={page.shown.items}
            readAt={page.readAt}
            sort={request.sort}
            page={JSON.stringify(request)}
            selection={selected}
            stale={page.isStale}
            scroll={scroll}
            widths={list.widths}
            isCompact={list.isCompact}
            onWidth={list.setWidth}
            onSort={(sort) => control.change({ sort })}
            onDelete={setDeleting}
          />
        )}
      </div>
      <SelectionBar
        control={{ ...selected, clear: clearSelection, selectMatches }}
        mayUpdate={may(metadata, 'update')}
        mayDelete={may(metadata, 'delete')}
        exportMenu={
          may(metadata, 'export') ? <SelectionExport list={list} selection={selected.selection} /> : undefined
        }
        appliesAll={list.refused.length === 0 && (page.shown?.skipped.length ?? 0) === 0}
        onAct={setAction}
      />
      {page.shown === undefined || isEmptyStart(page.shown, state.after) ? null : (
        <Pager
          key={JSON.stringify(filter)}
          control={control}
          request={request}
          page={page.shown}
          stale={page.isStale}
          metadata={metadata}
        />
      )}
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

function SelectionExport({ list, selection }: { readonly list: ShownList; readonly selection: Selection }) {
  const metadata = useMetadata();
  const pages =
    selection.kind === 'items'
      ? chosenPages(metadata.code, [...selection.items.keys()])
      : matchingPages(metadata.code, list.request, list.request.sort);
  return <ExportMenu size="xs" metadata={metadata} pages={pages} columns={list.columns.map(({ name }) => name)} />;
}

const noItems: readonly Item[] = [];

/** Nothing to page through. */
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
        <Notice text="Not applied, because the type cannot be searched by it:" names={skipped} />
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

interface PagerProps {
  readonly control: ListControl;
  readonly request: ListRequest;
  readonly page: Page;
  /** The page is the one before: its end is not where the next page begins. */
  readonly stale: boolean;
  readonly metadata: ItemMetadata;
}

/** How many items there are, and the way to the others. */
function Pager({ control, request, page, stale, metadata }: PagerProps) {
  const type = metadata.code;
  const client = useQueryClient();
  const { state } = control;
  const cursor = stale ? undefined : page.nextCursor;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <ShownCount
        type={type}
        filter={{ criteria: request.criteria, q: request.q }}
        shown={page.items.length}
        all={state.after === undefined && page.nextCursor === undefined}
      />
      <ChangedCount metadata={metadata} request={request} />
      <PageSteps
        sizeLabel="Items per page"
        sizes={pageSizes}
        size={state.limit}
        onSize={(limit) => control.change({ limit })}
        openFirst={state.after === undefined ? undefined : control.openFirst}
        openPrevious={control.openPrevious}
        openNext={cursor === undefined ? undefined : () => control.openNext(cursor)}
        onExpectNext={() => {
          if (cursor !== undefined) client.query(listQuery(type, { ...request, after: cursor })).catch(() => undefined);
        }}
      />
    </Group>
  );
}
