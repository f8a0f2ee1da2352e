import './history.css';
import { Button, Text, Title, Group } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { historyQuery, type ItemChange } from '../../api/changes';
import type { Item } from '../../api/items';
import { itemLabel } from '../../api/label';
import { itemQuery } from '../../api/queries';
import { may } from '../../common/may';
import { Breadcrumb } from '../../ui/page/breadcrumb';
import { groupByDay } from '../../ui/text/group-by-day';
import { ClockIcon, EditIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { PageHeader } from '../../ui/page/page';
import { RelativeTime } from '../../ui/time/relative-time';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import { itemHeading } from '../form/item/item-heading';
import { useLastList } from '../last-list';
import { useLeaveKey } from '../form/use-leave-key';
import { actorText } from '../../ui/text/change-text';
import { Comparison, VersionChoice, type Versions } from './comparison';
import { ValueList } from './difference-list';
import { RestoreDialog, type Restorable } from './restore-dialog';
import { useVersionFilters } from './version-filters';
import { VersionEntry } from './version-entry';
import '../live/live.css';
import { useForeignChanges } from '../../api/live/live-changes';

/** The versions of an item, also of a deleted one: who made them, what they changed, and a way back to each. */
export function HistoryPage() {
  const metadata = useMetadata();
  const { id = '' } = useParams();
  const history = useInfiniteQuery(historyQuery(metadata.code, id));
  const changes = history.data?.pages.flatMap((page) => page.changes) ?? [];
  // For its name: the feed may be younger than the item, and so have nothing of it.
  const item = useQuery({ ...itemQuery(metadata.code, id), enabled: history.isSuccess && changes.length === 0 });
  const heading = headingOf(metadata, id, changes, item.data);
  const address = `/content/${metadata.code}/${id}`;
  const list = { ...useLastList(metadata.code), text: metadata.displayNamePlural };
  const lists = metadata.singleton === true ? [] : [list];
  useLeaveKey(metadata.code);
  return (
    <>
      <PageHeader
        title="History"
        tabTitle={`History · ${heading}`}
        status={changes[0] === undefined ? null : <VersionCount count={changes[0].version} />}
        breadcrumb={<Breadcrumb links={[...lists, ...(isGone(changes) ? [] : [{ to: address, text: heading }])]} />}
        actions={
          isGone(changes) ? undefined : (
            <LinkButton to={address} variant="default" leftSection={<EditIcon size={16} />}>
              {may(metadata, 'update') ? 'Edit' : 'Values'}
            </LinkButton>
          )
        }
      />
      <NewerVersion type={metadata.code} id={id} readAt={history.dataUpdatedAt} onLoad={() => void history.refetch()} />
      {history.error === null ? null : (
        <ErrorState
          error={history.error}
          title="The history could not be loaded"
          onRetry={() => void history.refetch()}
        />
      )}
      {history.isPending ? <LoadingState rows={6} /> : null}
      {history.data === undefined ? null : changes.length === 0 ? (
        <EmptyState title="No history yet" icon={<ClockIcon size={40} />}>
          The item has not changed since the platform began to record changes.
        </EmptyState>
      ) : (
        <Versions metadata={metadata} id={id} label={heading} changes={changes} readAt={history.dataUpdatedAt} />
      )}
      {history.hasNextPage ? (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
          mt="md"
        >
          Load older versions
        </Button>
      ) : null}
    </>
  );
}

function VersionCount({ count }: { readonly count: number }) {
  return (
    <span className="page-total">
      {count.toLocaleString()}
      <span className="visually-hidden"> {count === 1 ? 'version' : 'versions'}</span>
    </span>
  );
}

interface VersionsProps {
  readonly metadata: ItemMetadata;
  readonly id: string;
  readonly label: string;
  readonly changes: readonly ItemChange[];
  /** In milliseconds. */
  readonly readAt: number;
}

function Versions({ metadata, id, label, changes, readAt }: VersionsProps) {
  const navigate = useNavigate();
  const { versions, compare, close } = useComparison();
  const [restored, setRestored] = useState<Restorable>();
  const { shown, filters } = useVersionFilters(metadata, changes);
  const [newest] = changes;
  const gone = isGone(changes);
  const mayRestore = may(metadata, gone ? 'create' : 'update');
  const current = gone ? undefined : newest?.version;
  const restore = (version: number | undefined): void => setRestored({ id, label, version, current });
  return (
    <>
      {newest?.action === 'deleted' ? (
        <Deleted
          metadata={metadata}
          change={newest}
          now={readAt}
          onRestore={mayRestore ? () => restore(undefined) : undefined}
        />
      ) : null}
      {changes.length < 2 ? null : (
        <div className="history-bar">
          {filters}
          <VersionChoice changes={changes} versions={versions} onChange={compare} />
        </div>
      )}
      {versions === undefined ? null : (
        <Comparison
          key={`${versions.from} ${versions.to}`}
          metadata={metadata}
          id={id}
          versions={versions}
          onClose={close}
        />
      )}
      {shown.length === 0 ? <EmptyState title="No results">No version matches the filters.</EmptyState> : null}
      <ol className="surface history" aria-label="Versions" hidden={shown.length === 0}>
        {groupByDay(shown).map(({ day, changes: ofDay }) =>
          ofDay.map((change) => (
            <li key={change.position}>
              {change === ofDay[0] ? <div className="change-day">{day}</div> : null}
              <VersionEntry
                metadata={metadata}
                change={change}
                isCurrent={change.version === current}
                isShown={change === newest && change.action === 'deleted'}
                compareTo={
                  current === undefined || change.version === current
                    ? undefined
                    : compareSearch(change.version, current)
                }
                onRestore={mayRestore && isRestorable(change, current) ? () => restore(change.version) : undefined}
              />
            </li>
          )),
        )}
      </ol>
      <RestoreDialog
        metadata={metadata}
        subject={restored}
        onClose={() => setRestored(undefined)}
        onRestored={(item) => {
          setRestored(undefined);
          if (gone) void navigate(`/content/${metadata.code}/${item.id}`);
        }}
      />
    </>
  );
}

/** Whether there is no such item now, or none that the reader sees. */
function isGone([newest]: readonly ItemChange[]): boolean {
  return newest?.action === 'deleted' || newest?.action === 'left';
}

/** A deletion has the values of the version before, which is restored by the button above the versions. */
function isRestorable({ action, version }: ItemChange, current: number | undefined): boolean {
  return action !== 'deleted' && action !== 'left' && version !== current;
}

interface DeletedProps {
  readonly metadata: ItemMetadata;
  readonly change: ItemChange;
  readonly now: number;
  readonly onRestore: (() => void) | undefined;
}

/** Last values of a deleted item, with the way back. */
function Deleted({ metadata, change, now, onRestore }: DeletedProps) {
  return (
    <section className="history-card" aria-labelledby={deletedId}>
      <Title order={2} id={deletedId}>
        This {metadata.displayName} is deleted
      </Title>
      <Text size="sm" component="div">
        <bdi>{actorText(change)}</bdi> deleted it <RelativeTime value={change.at} now={now} />. Its last values:
      </Text>
      {change.values === undefined ? null : <ValueList metadata={metadata} values={change.values} />}
      {onRestore === undefined ? null : (
        <Button mt="sm" onClick={onRestore}>
          Restore …
        </Button>
      )}
      <LinkButton
        to={`/content/${metadata.code}/deleted`}
        variant="default"
        mt="sm"
        ml={onRestore === undefined ? 0 : 'xs'}
      >
        View deleted items
      </LinkButton>
    </section>
  );
}

const deletedId = 'deleted';

/** The compared versions, in the address. */
function useComparison() {
  const [parameters, setParameters] = useSearchParams();
  const [from, to] = ['from', 'to'].map((name) => Number(parameters.get(name)));
  const isGiven = isVersion(from) && isVersion(to);
  return {
    versions: isGiven ? ({ from, to } satisfies Versions) : undefined,
    compare: (versions: Versions) =>
      setParameters({ from: String(versions.from), to: String(versions.to) }, { preventScrollReset: true }),
    close: () => setParameters({}),
  };
}

function isVersion(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}

function compareSearch(from: number, to: number): string {
  return `?from=${from}&to=${to}`;
}

/** Name of the item now, or its last name. */
function headingOf(metadata: ItemMetadata, id: string, changes: readonly ItemChange[], item: Item | undefined): string {
  const values = changes.find((change) => change.values !== undefined)?.values ?? item?.values;
  const fallback = metadata.singleton === true ? metadata.displayName : `${metadata.displayName} ${id}`;
  if (values === undefined) return fallback;
  const last: Item = { id, values };
  return itemLabel(last) === id ? fallback : itemHeading(metadata, last);
}

interface NewerVersionProps {
  /** Type code. */
  readonly type: string;
  readonly id: string;
  /** When the history was read, in milliseconds. */
  readonly readAt: number;
  onLoad(): void;
}

/** Says over a history that somebody has changed the item; the versions stay where they are until it is read again. */
function NewerVersion({ type, id, readAt, onLoad }: NewerVersionProps) {
  const changes = useForeignChanges(type, readAt);
  const isNews = readAt > 0 && [...changes.values()].some(({ change }) => String(change.id) === id);
  return (
    <div role="status" className="changed-meanwhile" hidden={!isNews}>
      {isNews ? (
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm">There is a newer version.</Text>
          <Button size="compact-sm" variant="default" className="keep-size" onClick={onLoad}>
            Load the new version
          </Button>
        </Group>
      ) : null}
    </div>
  );
}
