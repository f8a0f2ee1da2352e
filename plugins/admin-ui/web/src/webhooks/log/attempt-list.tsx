import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../ui/data-table';
import { durationText } from '../../ui/text/duration-text';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states';
import { Moment } from '../../ui/time/moment';
import { answerText } from './answer-text';
import { AttemptDialog } from './attempt-dialog';
import { ItemLink } from './item-link';
import { LogPager } from './log-pager';
import { ResultBadge } from './result-badge';
import { useItemNames } from './use-item-names';
import { useLogPage } from './use-log-page';
import { attemptsQuery, type DeliveryAttempt, type SubscriptionPath } from '../webhook-api';

export interface AttemptListProps {
  readonly path: SubscriptionPath;
  /** Its answers have a status. */
  readonly isWebhook: boolean;
}

/** The latest attempts to deliver changes, with what was sent and what was answered. */
export function AttemptList({ path, isWebhook }: AttemptListProps) {
  const control = useLogPage();
  const page = useQuery(attemptsQuery(path, control.before));
  const [shown, setShown] = useState<DeliveryAttempt>();
  const nameOf = useItemNames(page.data?.rows.map(({ subject }) => subject) ?? []);
  if (page.data === undefined) {
    return page.error === null ? (
      <LoadingState rows={5} />
    ) : (
      <ErrorState error={page.error} title="The attempts could not be loaded" onRetry={() => void page.refetch()} />
    );
  }
  const { rows, nextBefore } = page.data;
  if (rows.length === 0 && control.before === undefined) {
    return <EmptyState title="No attempts yet">They appear as soon as an item of its types changes.</EmptyState>;
  }
  return (
    <>
      <DataTable
        label="Attempts"
        className="subscriptions attempts card-rows"
        isStale={page.isPlaceholderData}
        rows={rows}
        rowKey={({ id }) => id}
        empty="No results"
        columns={[
          { title: 'Time', className: 'attempt-time', cell: ({ at }) => <Moment value={at} /> },
          {
            title: 'Item',
            isRowHeader: true,
            hint: ({ subject }) => subject,
            cell: ({ subject }) => <ItemLink subject={subject} name={nameOf(subject)} />,
          },
          {
            title: 'Attempt',
            className: 'wide attempt-number',
            align: 'end',
            cell: ({ attempt }) => attempt.toLocaleString(),
          },
          { title: 'Result', className: 'attempt-result', cell: (attempt) => <ResultBadge attempt={attempt} /> },
          {
            title: isWebhook ? 'Answer' : 'Error',
            className: 'wide',
            hint: ({ error }) => error ?? undefined,
            cell: answerText,
          },
          {
            title: 'Duration',
            className: 'wide attempt-duration',
            align: 'end',
            cell: ({ durationMs }) => durationText(durationMs),
          },
          {
            title: 'Details',
            hidesTitle: true,
            className: 'actions',
            cell: (attempt) => (
              <Button size="compact-xs" variant="default" onClick={() => setShown(attempt)}>
                <span>
                  Details
                  <span className="visually-hidden">
                    {' '}
                    of attempt {attempt.attempt} for {nameOf(attempt.subject)}
                  </span>
                </span>
              </Button>
            ),
          },
        ]}
      />
      <LogPager control={control} shown={rows.length} nextBefore={nextBefore} />
      <AttemptDialog
        path={path}
        attempt={shown}
        isWebhook={isWebhook}
        nameOf={nameOf}
        onClose={() => setShown(undefined)}
      />
    </>
  );
}
