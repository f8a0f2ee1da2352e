import { nameInSentence } from '../name-in-sentence';
import { Button } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { deletedQuery, type DeletedItem } from '../../api/changes';
import { may } from '../../common/may';
import { DataTable, type TableColumn } from '../../ui/data-table';
import { TrashIcon } from '../../ui/icons';
import { PageHeader } from '../../ui/page/page';
import { RelativeTime } from '../../ui/time/relative-time';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import { ListLink } from '../form/item/list-link';
import { useLeaveKey } from '../form/use-leave-key';
import { actorText } from '../../ui/text/change-text';
import { RestoreDialog, type Restorable } from '../history/restore-dialog';

/** The deleted items of a type, with the way back of each. */
export function DeletedPage() {
  const metadata = useMetadata();
  const navigate = useNavigate();
  const deleted = useInfiniteQuery(deletedQuery(metadata.code));
  const [restored, setRestored] = useState<Restorable>();
  const items = deleted.data?.pages.flatMap((page) => page.items) ?? [];
  useLeaveKey(metadata.code);
  return (
    <>
      <PageHeader
        title={`Deleted ${nameInSentence(metadata.displayNamePlural)}`}
        description="The latest first. A restored item has the same id and history."
        actions={<ListLink />}
      />
      {deleted.error === null ? null : (
        <ErrorState
          error={deleted.error}
          title="The deleted items could not be loaded"
          onRetry={() => void deleted.refetch()}
        />
      )}
      {deleted.isPending ? <LoadingState rows={6} /> : null}
      {deleted.data === undefined ? null : items.length === 0 ? (
        <EmptyState title={`No deleted ${nameInSentence(metadata.displayNamePlural)}`} icon={<TrashIcon size={40} />}>
          Items that are deleted appear here and can be restored.
        </EmptyState>
      ) : (
        <DeletedTable
          metadata={metadata}
          items={items}
          now={deleted.dataUpdatedAt}
          onRestore={may(metadata, 'create') ? ({ id, label }) => setRestored({ id, label }) : undefined}
        />
      )}
      {deleted.hasNextPage ? (
        <Button
          mt="md"
          variant="default"
          loading={deleted.isFetchingNextPage}
          onClick={() => void deleted.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
      <RestoreDialog
        metadata={metadata}
        subject={restored}
        onClose={() => setRestored(undefined)}
        onRestored={({ id }) => {
          setRestored(undefined);
          void navigate(`/content/${metadata.code}/${id}`);
        }}
      />
    </>
  );
}

interface DeletedTableProps {
  readonly metadata: ItemMetadata;
  readonly items: readonly DeletedItem[];
  /** In milliseconds. */
  readonly now: number;
  readonly onRestore: ((item: DeletedItem) => void) | undefined;
}

function DeletedTable({ metadata, items, now, onRestore }: DeletedTableProps) {
  return (
    <DataTable
      label={`Deleted ${metadata.displayNamePlural}`}
      rows={items}
      rowKey={({ position }) => position}
      columns={[
        {
          title: metadata.displayName,
          isRowHeader: true,
          cell: ({ id, label }) => (
            <Link to={`/content/${metadata.code}/${id}/history`} className="cell-link">
              <bdi>{label.slice(0, 80)}</bdi>
            </Link>
          ),
        },
        { title: 'Id', align: 'end', cell: ({ id }) => id },
        { title: 'Deleted by', cell: (item) => <bdi>{actorText(item)}</bdi> },
        { title: 'Deleted', cell: ({ deletedAt }) => <RelativeTime value={deletedAt} now={now} /> },
        ...(onRestore === undefined ? [] : [restoreColumn(onRestore)]),
      ]}
    />
  );
}

function restoreColumn(onRestore: (item: DeletedItem) => void): TableColumn<DeletedItem> {
  return {
    title: 'Actions',
    hidesTitle: true,
    className: 'actions',
    cell: (item) => (
      <Button size="compact-xs" variant="default" onClick={() => onRestore(item)}>
        <span>
          Restore<span className="visually-hidden"> {item.label.slice(0, 80)}</span> …
        </span>
      </Button>
    ),
  };
}
