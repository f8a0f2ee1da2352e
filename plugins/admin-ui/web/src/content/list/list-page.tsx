import { Button, Code, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item, ListRequest, Page } from '../../api/items';
import { listItems } from '../../api/items';
import { listQuery } from '../../api/queries';
import { FirstIcon, LeftIcon, PlusIcon, RefreshIcon, RightIcon } from '../../ui/icons';
import { IconButton, LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import { DeleteDialog } from '../delete-dialog';
import { ExportMenu } from './export-menu';
import { ItemTable } from './item-table';
import { pageSizes, useListState, type ListControl } from './list-state';
import { SearchBar } from './search-bar';

/** The items of a type, driven by its metadata and by the address alone. */
export function ListPage() {
  const metadata = useMetadata();
  const control = useListState();
  const { state } = control;
  const page = useQuery(listQuery(metadata.code, state));
  const [deleting, setDeleting] = useState<Item>();
  return (
    <div className="list-page">
      <PageHeader
        title={metadata.displayName}
        description={metadata.readOnly ? 'Only the plugin that brings this type writes it.' : undefined}
        actions={
          <>
            <IconButton label="Refresh" size="lg" variant="default" onClick={() => void page.refetch()}>
              <RefreshIcon />
            </IconButton>
            <ExportMenu metadata={metadata} criteria={state.criteria} sort={state.sort} />
            {metadata.readOnly ? null : (
              <LinkButton to={`/content/${metadata.code}/new`} leftSection={<PlusIcon size={16} />}>
                New {metadata.displayName}
              </LinkButton>
            )}
          </>
        }
      />
      <SearchBar metadata={metadata} criteria={state.criteria} onChange={(criteria) => control.change({ criteria })} />
      {page.error === null ? null : (
        <ErrorState error={page.error} title="The items could not be loaded" onRetry={() => void page.refetch()} />
      )}
      <Skipped page={page.data} />
      <div className="list-body">
        {page.data === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : page.data.items.length === 0 ? (
          <NoItems control={control} />
        ) : (
          <ItemTable
            metadata={metadata}
            items={page.data.items}
            sort={state.sort}
            page={JSON.stringify(state)}
            stale={page.isPlaceholderData}
            onSort={(sort) => control.change({ sort })}
            onDelete={setDeleting}
          />
        )}
      </div>
      {page.data === undefined || isEmptyStart(page.data, state.after) ? null : (
        <Pager key={JSON.stringify(state.criteria)} control={control} page={page.data} type={metadata.code} />
      )}
      <DeleteDialog
        metadata={metadata}
        item={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => setDeleting(undefined)}
      />
    </div>
  );
}

/** Nothing to page through. */
function isEmptyStart(page: Page, after: string | undefined): boolean {
  return page.items.length === 0 && after === undefined;
}

function NoItems({ control }: { readonly control: ListControl }) {
  const metadata = useMetadata();
  if (control.state.criteria.length > 0) {
    return (
      <EmptyState
        title="Nothing matches these filters"
        action={
          <Button variant="default" onClick={() => control.change({ criteria: [] })}>
            Clear all filters
          </Button>
        }
      >
        All filters must hold at once. Remove one, or look for less.
      </EmptyState>
    );
  }
  if (control.state.after !== undefined) {
    return (
      <EmptyState
        title="This page is empty"
        action={
          <Button variant="default" onClick={control.openFirst}>
            Go to the first page
          </Button>
        }
      >
        The items that were here are gone.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No ${metadata.displayName} yet`}
      action={
        metadata.readOnly ? null : (
          <LinkButton to={`/content/${metadata.code}/new`}>Create the first {metadata.displayName}</LinkButton>
        )
      }
    >
      {metadata.readOnly
        ? 'The plugin that brings this type has not written any.'
        : 'Items that you create appear here.'}
    </EmptyState>
  );
}

function Skipped({ page }: { readonly page: Page | undefined }) {
  if (page === undefined || page.skipped.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs" role="status">
      Not applied, because the type cannot be searched by it:{' '}
      {page.skipped.map(({ field }) => (
        <Code key={field}>{field}</Code>
      ))}
    </Text>
  );
}

function Pager({ control, page, type }: { readonly control: ListControl; readonly page: Page; readonly type: string }) {
  const { state, openPrevious } = control;
  const cursor = page.nextCursor;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Total type={type} request={{ criteria: state.criteria, limit: 1, total: true }} shown={page.items.length} />
      <Group gap="xs" role="group" aria-label="Pages">
        <NativeSelect
          aria-label="Items per page"
          size="xs"
          data={pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(state.limit)}
          onChange={(event) => control.change({ limit: Number(event.currentTarget.value) })}
        />
        <IconButton
          label="First page"
          variant="default"
          size={30}
          disabled={state.after === undefined}
          onClick={control.openFirst}
        >
          <FirstIcon size={16} />
        </IconButton>
        <IconButton
          label="Previous page"
          variant="default"
          size={30}
          disabled={openPrevious === undefined}
          onClick={() => openPrevious?.()}
        >
          <LeftIcon size={16} />
        </IconButton>
        <IconButton
          label="Next page"
          variant="default"
          size={30}
          disabled={cursor === undefined}
          onClick={() => (cursor === undefined ? undefined : control.openNext(cursor))}
        >
          <RightIcon size={16} />
        </IconButton>
      </Group>
    </Group>
  );
}

/** Counting a large list takes the database long, so it is done on request. */
function Total({
  type,
  request,
  shown,
}: {
  readonly type: string;
  readonly request: ListRequest;
  readonly shown: number;
}) {
  const [wanted, setWanted] = useState(false);
  const client = useQueryClient();
  const key = ['items', type, 'total', request.criteria];
  const total = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => listItems(type, request, signal),
    enabled: wanted,
    refetchInterval: false,
  });
  const count = total.data?.total;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {shown} shown{count === undefined ? '' : ` of ${Number(count).toLocaleString()}`}
      </Text>
      {count === undefined ? (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={total.isFetching}
          onClick={() => (wanted ? void client.invalidateQueries({ queryKey: key }) : setWanted(true))}
        >
          {total.error === null ? 'Count all' : 'Counting failed: try again'}
        </Button>
      ) : null}
    </Group>
  );
}
