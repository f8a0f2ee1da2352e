import './audit.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { actorText } from '../ui/text/change-text';
import { ClockIcon } from '../ui/icons';
import { LinkTabs } from '../ui/page/link-tabs';
import { ListFoot } from '../ui/page/list-foot';
import { FirstPageButton } from '../ui/page/first-page-button';
import { PageHeader } from '../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { itemChangesQuery, securityEventsQuery } from './audit-api';
import { AuditExportMenu } from './audit-export-menu';
import { AuditFilters } from './audit-filters';
import { otherTab, requestOf, useAuditState, type AuditControl, type AuditState } from './audit-state';
import { ItemChanges } from './item-changes';
import { SecurityEvents } from './security-events';

/** Who changed which items, and what concerned the security of the platform. */
export function AuditPage() {
  const control = useAuditState();
  const { state } = control;
  return (
    <div className="list-page">
      <PageHeader title="Audit" actions={<AuditExportMenu state={state} />} />
      <Tabs state={state} />
      {state.tab === 'items' ? <Changes control={control} /> : <Events control={control} />}
    </div>
  );
}

function Tabs({ state }: { readonly state: AuditState }) {
  const tabs = [
    { key: 'items', label: 'Item changes' },
    { key: 'security', label: 'Security events' },
  ] as const;
  return (
    <LinkTabs
      label="Kinds of entries"
      tabs={tabs.map(({ key, label }) => ({
        key,
        label,
        to: `?${otherTab(state, key)}`,
        isOpen: state.tab === key,
        count: undefined,
      }))}
    />
  );
}

function Changes({ control }: { readonly control: AuditControl }) {
  const page = useQuery(itemChangesQuery(requestOf(control.state)));
  const changes = page.data?.changes ?? [];
  return (
    <Entries
      control={control}
      entries={changes}
      page={page}
      nextBefore={page.data?.nextBefore}
      table={<ItemChanges changes={changes} isStale={page.isPlaceholderData} />}
    />
  );
}

function Events({ control }: { readonly control: AuditControl }) {
  const page = useQuery(securityEventsQuery(requestOf(control.state)));
  const events = page.data?.events ?? [];
  return (
    <Entries
      control={control}
      entries={events}
      page={page}
      nextBefore={page.data?.nextBefore}
      table={<SecurityEvents events={events} isStale={page.isPlaceholderData} />}
    />
  );
}

interface EntriesProps {
  readonly control: AuditControl;
  readonly entries: readonly { readonly actor?: string; readonly actorName?: string; readonly action: string }[];
  readonly page: {
    readonly data: unknown;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    refetch(): Promise<unknown>;
  };
  readonly nextBefore: string | undefined;
  readonly table: ReactNode;
}

/** The filters, a page of entries, and the way to the others. */
function Entries({ control, entries, page, nextBefore, table }: EntriesProps) {
  const { state } = control;
  const actors = new Map(
    entries.flatMap((entry) => (entry.actor === undefined ? [] : [[entry.actor, actorText(entry)] as const])),
  );
  const cursor = page.isPlaceholderData ? undefined : nextBefore;
  const isEmpty = page.data !== undefined && entries.length === 0 && cursor === undefined;
  return (
    <>
      <AuditFilters control={control} actors={actors} actions={[...new Set(entries.map(({ action }) => action))]} />
      {page.error === null ? null : (
        <ErrorState error={page.error} title="The entries could not be loaded" onRetry={() => void page.refetch()} />
      )}
      <FirstPageButton error={page.error} after={state.after} openFirst={control.openFirst} />
      <div className="list-body surface" data-empty={isEmpty || undefined}>
        {page.data === undefined ? (
          page.error === null ? (
            <LoadingState rows={10} />
          ) : null
        ) : isEmpty ? (
          <EmptyState title={control.isFiltered ? 'No results' : 'No entries yet'} icon={<ClockIcon size={40} />}>
            {control.isFiltered ? 'No entry matches the filters.' : 'Entries appear as soon as something happens.'}
          </EmptyState>
        ) : (
          <>
            {table}
            <ListFoot control={control} nextCursor={cursor} shown={entries.length} sizeLabel="Entries per page" />
          </>
        )}
      </div>
    </>
  );
}
