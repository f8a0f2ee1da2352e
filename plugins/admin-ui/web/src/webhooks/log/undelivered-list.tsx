import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { CheckIcon } from '../../ui/icons';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { Timestamp } from '../../ui/time/timestamp';
import { ItemLink } from './item-link';
import { LogPager } from './log-pager';
import { useControl, type Control } from '../use-control';
import { useItemNames } from './use-item-names';
import { useLogPage } from './use-log-page';
import { act, undeliveredQuery, type Subscribed, type SubscriptionPath } from '../webhook-api';

/** Some of them by ids, or all. */
type Chosen = readonly string[] | undefined;

/** Changes that were refused for 24 hours: each can be sent again, or taken from the list. */
export function UndeliveredList({ path, count }: { readonly path: SubscriptionPath; readonly count: number }) {
  const control = useLogPage();
  const page = useQuery(undeliveredQuery(path, control.before));
  const nameOf = useItemNames(page.data?.rows.map(({ subject }) => subject) ?? []);
  const retry = useControl(
    (ids: Chosen) => act(path, 'retry', ids),
    () => 'Retried',
  );
  const discard = useControl(
    (ids: Chosen) => act(path, 'discard', ids),
    () => 'Removed from the list',
  );
  if (page.data === undefined) {
    return page.error === null ? (
      <LoadingState rows={5} />
    ) : (
      <ErrorState error={page.error} title="The changes could not be loaded" onRetry={() => void page.refetch()} />
    );
  }
  const { rows, nextBefore } = page.data;
  if (rows.length === 0 && control.before === undefined) {
    return (
      <EmptyState title="No undelivered changes" icon={<CheckIcon size={40} />}>
        A change that is refused for 24 hours is listed here, and later changes of its item are delivered.
      </EmptyState>
    );
  }
  return (
    <>
      <Failure error={retry.error ?? discard.error} />
      <AllActions count={count} retry={retry} discard={discard} />
      <DataTable
        label="Undelivered changes"
        className="subscriptions"
        isStale={page.isPlaceholderData}
        rows={rows}
        rowKey={({ id }) => id}
        empty="No results"
        columns={[
          { title: 'Given up', cell: ({ givenUpAt }) => <Timestamp value={givenUpAt} /> },
          {
            title: 'Item',
            isRowHeader: true,
            hint: ({ subject }) => subject,
            cell: ({ subject }) => <ItemLink subject={subject} name={nameOf(subject)} />,
          },
          { title: 'Attempts', align: 'end', cell: ({ attempts }) => attempts.toLocaleString() },
          { title: 'First failure', cell: ({ since }) => <Timestamp value={since} /> },
          { title: 'Error', hint: ({ error }) => error, cell: ({ error }) => error },
          {
            title: 'Actions',
            hidesTitle: true,
            className: 'actions',
            cell: (change) => (
              <RowActions
                name={nameOf(change.subject)}
                isBusy={retry.isPending || discard.isPending}
                onRetry={() => retry.run([change.id])}
                onDiscard={() => discard.run([change.id])}
              />
            ),
          },
        ]}
      />
      <LogPager control={control} shown={rows.length} nextBefore={nextBefore} />
    </>
  );
}

interface RowActionsProps {
  /** Of the item. */
  readonly name: string;
  readonly isBusy: boolean;
  onRetry(): void;
  onDiscard(): void;
}

function RowActions({ name, isBusy, onRetry, onDiscard }: RowActionsProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-xs" variant="default" disabled={isBusy} onClick={onRetry} aria-label={`Retry ${name}`}>
        Retry
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        disabled={isBusy}
        onClick={onDiscard}
        aria-label={`Remove ${name} from the list`}
      >
        Remove
      </Button>
    </Group>
  );
}

interface AllActionsProps {
  readonly count: number;
  readonly retry: Control<Chosen, Subscribed>;
  readonly discard: Control<Chosen, Subscribed>;
}

function AllActions({ count, retry, discard }: AllActionsProps) {
  const [isAsked, setAsked] = useState(false);
  const changes = count === 1 ? '1 change' : `${count.toLocaleString()} changes`;
  return (
    <Group gap="xs" mb="sm">
      <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.run(undefined)}>
        Retry all
      </Button>
      <Button
        variant="default"
        size="xs"
        className="quiet-danger"
        loading={discard.isPending}
        onClick={() => setAsked(true)}
      >
        Remove all …
      </Button>
      <Dialog opened={isAsked} onClose={() => setAsked(false)} title={`Remove ${changes} from the list?`}>
        <Stack>
          <Text size="sm">
            The receiver does not get them, unless you replay from a time or position before them. The items stay as
            they are.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(false)} data-autofocus>
              Cancel
            </Button>
            <Button
              color="red"
              onClick={() => {
                setAsked(false);
                discard.run(undefined);
              }}
            >
              Remove all
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Group>
  );
}
