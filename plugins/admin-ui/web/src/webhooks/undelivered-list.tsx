import { Button, Group, Stack, Text } from '@mantine/core';
import type { GivenUpChange } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Failure } from '../ui/failure';
import { CheckIcon } from '../ui/icons';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { Timestamp } from '../ui/timestamp';
import { ItemLink } from './item-link';
import { LogPager } from './log-pager';
import { useControl, type Control } from './use-control';
import { useLogPage } from './use-log-page';
import { act, undeliveredQuery, type Subscribed } from './webhook-api';

/** Some of them by ids, or all. */
type Chosen = readonly string[] | undefined;

/** Changes that were refused for 24 hours: each can be sent again, or taken from the list. */
export function UndeliveredList({ path, count }: { readonly path: string; readonly count: number }) {
  const control = useLogPage();
  const page = useQuery(undeliveredQuery(path, control.before));
  const retry = useControl(
    (ids: Chosen) => act(path, 'retry', ids),
    () => 'Sent again',
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
      <EmptyState title="Nothing is undelivered" icon={<CheckIcon size={40} />}>
        A change that is refused for 24 hours is listed here, and later changes of its item are delivered.
      </EmptyState>
    );
  }
  return (
    <>
      <Failure error={retry.error ?? discard.error} />
      <AllActions count={count} retry={retry} discard={discard} />
      <div
        className="items subscriptions"
        role="region"
        aria-label="Undelivered changes"
        tabIndex={0}
        data-stale={page.isPlaceholderData || undefined}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Given up</th>
              <th scope="col">Item</th>
              <th scope="col" className="number">
                Attempts
              </th>
              <th scope="col">First failure</th>
              <th scope="col">Error</th>
              <th scope="col" className="actions">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((change) => (
              <Row
                key={change.id}
                change={change}
                isBusy={retry.isPending || discard.isPending}
                onRetry={() => retry.run([change.id])}
                onDiscard={() => discard.run([change.id])}
              />
            ))}
          </tbody>
        </table>
      </div>
      <LogPager control={control} shown={rows.length} nextBefore={nextBefore} />
    </>
  );
}

interface RowProps {
  readonly change: GivenUpChange;
  readonly isBusy: boolean;
  onRetry(): void;
  onDiscard(): void;
}

function Row({ change, isBusy, onRetry, onDiscard }: RowProps) {
  const { subject, attempts, since, givenUpAt, error } = change;
  return (
    <tr>
      <td>
        <Timestamp value={givenUpAt} />
      </td>
      <th scope="row">
        <ItemLink subject={subject} />
      </th>
      <td className="number">{attempts.toLocaleString()}</td>
      <td>
        <Timestamp value={since} />
      </td>
      <td title={error}>{error}</td>
      <td className="actions">
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-xs"
            variant="default"
            disabled={isBusy}
            onClick={onRetry}
            aria-label={`Send again ${subject}`}
          >
            Send again
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={isBusy}
            onClick={onDiscard}
            aria-label={`Remove ${subject} from the list`}
          >
            Remove
          </Button>
        </Group>
      </td>
    </tr>
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
        Send all again
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
            The receiver does not get them, unless you deliver again from a time or position before them. The items stay
            as they are.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAsked(false)} data-autofocus>
              Cancel
            </Button>
            <Button
              color="red.9"
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
