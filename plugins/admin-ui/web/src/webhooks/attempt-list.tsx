import { Button } from '@mantine/core';
import type { DeliveryAttempt } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { durationText } from '../ui/duration-text';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { Moment } from '../ui/moment';
import { AttemptDialog } from './attempt-dialog';
import { ItemLink } from './item-link';
import { LogPager } from './log-pager';
import { ResultBadge } from './result-badge';
import { useLogPage } from './use-log-page';
import { attemptsQuery } from './webhook-api';

export interface AttemptListProps {
  readonly path: string;
  /** Its answers have a status. */
  readonly isWebhook: boolean;
}

/** The latest attempts to deliver changes, with what was sent and what was answered. */
export function AttemptList({ path, isWebhook }: AttemptListProps) {
  const control = useLogPage();
  const page = useQuery(attemptsQuery(path, control.before));
  const [shown, setShown] = useState<DeliveryAttempt>();
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
      <div
        className="items subscriptions"
        role="region"
        aria-label="Attempts"
        tabIndex={0}
        data-stale={page.isPlaceholderData || undefined}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Item</th>
              <th scope="col" className="number">
                Attempt
              </th>
              <th scope="col">Result</th>
              <th scope="col">{isWebhook ? 'Answer' : 'Error'}</th>
              <th scope="col" className="number">
                Duration
              </th>
              <th scope="col" className="actions">
                <span className="visually-hidden">Details</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((attempt) => (
              <tr key={attempt.id}>
                <td>
                  <Moment value={attempt.at} />
                </td>
                <th scope="row">
                  <ItemLink subject={attempt.subject} />
                </th>
                <td className="number">{attempt.attempt.toLocaleString()}</td>
                <td>
                  <ResultBadge attempt={attempt} />
                </td>
                <td title={answerText(attempt)}>{answerText(attempt)}</td>
                <td className="number">{durationText(attempt.durationMs)}</td>
                <td className="actions">
                  <Button size="compact-xs" variant="default" onClick={() => setShown(attempt)}>
                    <span>
                      Details
                      <span className="visually-hidden">
                        {' '}
                        of attempt {attempt.attempt} for {attempt.subject}
                      </span>
                    </span>
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <LogPager control={control} shown={rows.length} nextBefore={nextBefore} />
      <AttemptDialog path={path} attempt={shown} isWebhook={isWebhook} onClose={() => setShown(undefined)} />
    </>
  );
}

/** Of one that has failed, why. */
function answerText({ error, status }: DeliveryAttempt): string | undefined {
  return error ?? (status === null ? undefined : `Status ${status}`);
}
