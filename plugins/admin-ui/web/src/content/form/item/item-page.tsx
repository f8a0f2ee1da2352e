import { Anchor } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode, useEffect, useMemo } from 'react';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { ApiError } from '../../../api/api-error';
import type { Item } from '../../../api/items';
import { itemQuery } from '../../../api/queries';
import { PageHeader } from '../../../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/states';
import { useMetadata } from '../../content-layout';
import { ChangedMeanwhile } from '../../live/changed-meanwhile';
import { DeleteDialog } from '../../delete-dialog';
import { useLastList } from '../../last-list';
import { may } from '../../../common/may';
import type { FormValues } from '../fields/form-values';
import { ItemEditor } from './item-editor';
import { FormActions } from '../form-actions';
import { ItemHead } from './item-head';
import { itemHeading } from './item-heading';
import { ItemMenu } from './item-menu';
import { ListLink } from './list-link';
import { ReadOnlyItem } from './read-only-item';
import { UnsavedScope } from '../unsaved-guard';
import { useLeaveKey } from '../use-leave-key';
import { useUis, useUiStore } from '../../../plugin-ui/ui-context';
import { controlLoaders } from '../fields/control-loaders';

/** After this time in milliseconds, a form is drawn without the controls that are not there. */
const maxWaitMs = 300;

/**
 * Loads what the controls of a form consist of while its item is read, so that they are drawn together, once.
 * @returns whether the form can be drawn
 */
function usePreparedForm(metadata: ItemMetadata): boolean {
  const reports = useUis();
  const uis = useUiStore();
  const loaders = useMemo(() => controlLoaders(metadata, reports, uis), [metadata, reports, uis]);
  const [isPrepared, setIsPrepared] = useState(loaders.length === 0);
  useEffect(() => {
    const controller = new AbortController();
    const prepare = (): void => {
      if (!controller.signal.aborted) setIsPrepared(true);
    };
    const timer = setTimeout(prepare, maxWaitMs);
    // Controls that cannot be loaded are reported, and loaded again, where they are drawn.
    void Promise.allSettled(loaders.map((load) => load())).then(prepare);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [loaders]);
  return isPrepared;
}

/** Shows and changes one item. */
export function ItemPage() {
  const metadata = useMetadata();
  const { id = '' } = useParams();
  const item = useQuery(itemQuery(metadata.code, id));
  const isPrepared = usePreparedForm(metadata);
  if (!isPrepared) return <LoadingState rows={8} />;
  if (item.data === undefined) {
    if (item.error === null) return <LoadingState rows={8} />;
    const missing = item.error instanceof ApiError && item.error.status === 404;
    return (
      <>
        <PageHeader title={`${metadata.displayName} ${id}`} actions={missing ? undefined : <ListLink />} />
        {missing ? (
          <EmptyState title="Item not found" action={<ListLink />}>
            No item of the type {metadata.displayName} has the id {id}. It may have been deleted: see its{' '}
            <Anchor component={Link} to="history" underline="always" inherit>
              history
            </Anchor>
            .
          </EmptyState>
        ) : (
          <ErrorState error={item.error} title="The item could not be loaded" onRetry={() => void item.refetch()} />
        )}
      </>
    );
  }
  return (
    <OpenItem
      key={`${metadata.code} ${id}`}
      metadata={metadata}
      item={item.data}
      failure={item.error}
      readAt={item.dataUpdatedAt}
      onReload={() => void item.refetch()}
    />
  );
}

function OpenItem({
  metadata,
  item,
  failure,
  readAt,
  onReload,
}: {
  readonly metadata: ItemMetadata;
  readonly item: Item;
  readonly failure: unknown;
  /** In milliseconds. */
  readonly readAt: number;
  onReload(): void;
}) {
  const navigate = useNavigate();
  const state = useLocation().state as { readonly typed?: FormValues } | null;
  const [deleting, setDeleting] = useState<Item>();
  const [gone, setGone] = useState(false);
  const back = useLastList(metadata.code);
  const list = `/content/${metadata.code}`;
  useLeaveKey(metadata.code);
  const menu = <ItemMenu metadata={metadata} item={item} onDelete={() => setDeleting(item)} />;
  const renderHead = (actions: ReactNode): ReactNode => (
    <>
      <ItemHead title={itemHeading(metadata, item)} item={item} actions={actions} />
      {failure === null ? null : <ErrorState error={failure} title="The item could not be read again" />}
    </>
  );
  return (
    <UnsavedScope>
      {gone ? (
        // Without the form: what was typed there has nothing to be saved in any more, so nobody is asked about it.
        <Navigate {...back} replace />
      ) : !may(metadata, 'update') ? (
        <>
          {renderHead(menu)}
          <ReadOnlyItem metadata={metadata} item={item} isPage />
        </>
      ) : (
        <ItemEditor
          metadata={metadata}
          stored={item}
          initial={state?.typed}
          renderHead={(actions) => renderHead(<FormActions {...actions}>{menu}</FormActions>)}
          onSaved={({ item: saved, another }) => {
            if (another) void navigate(`${list}/new`);
            else if (saved.id !== item.id) void navigate(`${list}/${saved.id}`, { replace: true });
          }}
        />
      )}
      <ChangedMeanwhile metadata={metadata} item={item} readAt={readAt} onLoad={onReload} />
      <DeleteDialog
        metadata={metadata}
        item={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => setGone(true)}
      />
    </UnsavedScope>
  );
}
