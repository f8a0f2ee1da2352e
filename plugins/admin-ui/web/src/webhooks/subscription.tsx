import './webhooks.css';
import { Alert, Group, Text, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError } from '../api/api-error';
import { InfoIcon, WarningIcon } from '../ui/icons';
import { LinkButton } from '../ui/page/link-button';
import { LinkTabs } from '../ui/page/link-tabs';
import { PageHeader } from '../ui/page/page';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { Surface } from '../ui/surface';
import { Timestamp } from '../ui/time/timestamp';
import { AttemptList } from './log/attempt-list';
import { backlogText, lookOf } from './subscription-state';
import { UndeliveredList } from './log/undelivered-list';
import { type PluginSubscription, type Subscribed, type SubscriptionPath, type Webhook, act } from './webhook-api';
import { Failure } from '../ui/failure';
import { useControl } from './use-control';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

export interface SubscriptionProps {
  /** Of its endpoint. */
  readonly path: SubscriptionPath;
  readonly subscription: Webhook | PluginSubscription;
  /** Facts about the webhook or the plugin. */
  readonly facts: readonly Fact[];
}

/** Common parts of webhooks and subscriptions of plugins: state, position, attempts, and undelivered changes. */
export function Subscription({ path, subscription, facts }: SubscriptionProps) {
  const [parameters] = useSearchParams();
  const isUndelivered = parameters.get('tab') === 'undelivered';
  const all = [...facts, ...statusFacts(subscription)];
  return (
    <div className="with-rail">
      <div>
        <Explanation path={path} subscription={subscription} />
        <LinkTabs
          label="Deliveries"
          tabs={[
            { key: 'attempts', label: 'Attempts', to: '?', isOpen: !isUndelivered, count: undefined },
            {
              key: 'undelivered',
              label: 'Undelivered',
              to: '?tab=undelivered',
              isOpen: isUndelivered,
              count: subscription.undelivered.toLocaleString(),
              isUrgent: subscription.undelivered > 0,
            },
          ]}
        />
        {isUndelivered ? (
          <UndeliveredList path={path} count={subscription.undelivered} />
        ) : (
          <AttemptList path={path} isWebhook={'url' in subscription} />
        )}
      </div>
      <Surface title="Details">
        <dl className="fact-rows">
          {all.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Surface>
    </div>
  );
}

/** Why there is nothing to show yet. */
export function SubscriptionTrouble({
  title,
  query,
}: {
  readonly title: string;
  readonly query: { readonly error: Error | null; refetch(): Promise<unknown> };
}) {
  if (query.error === null) return <LoadingState rows={6} />;
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <PageHeader title={title} />
      {isGone ? (
        <EmptyState title={`${title} not found`} action={<LinkButton to="/webhooks">All webhooks</LinkButton>}>
          It may have been deleted.
        </EmptyState>
      ) : (
        <ErrorState
          error={query.error}
          title={`The ${title.toLowerCase()} could not be loaded`}
          onRetry={() => void query.refetch()}
        />
      )}
    </>
  );
}

/** Meaning of a state, and its remedy. */
function Explanation({ path, subscription }: Pick<SubscriptionProps, 'path' | 'subscription'>) {
  const { failingSince, gapSince, lastError, lastAttempt } = subscription;
  switch (lookOf(subscription)) {
    case 'failing':
      return (
        <Alert color="red" icon={<WarningIcon />} title="All attempts fail" mb="md">
          <Text size="sm" className="long-text">
            {lastError}
          </Text>
          <Text size="sm">
            Since <Timestamp value={failingSince} />
            {lastAttempt === null || lastAttempt.delivered ? null : (
              <>
                , the last time <Timestamp value={lastAttempt.at} />
              </>
            )}
            . Changes wait and are retried for at most 24 hours each.
          </Text>
          <Group mt="sm">
            <ResumeButton path={path} label="Retry now" />
          </Group>
        </Alert>
      );
    case 'gap':
      return (
        <Alert color="yellow" icon={<WarningIcon />} title="Changes are missing" mb="md">
          <Text size="sm">
            Changes since <Timestamp value={gapSince} /> were removed from the change feed, by its retention, before
            they were delivered. Delivery continues with the oldest change that is left. The receiver may need to read
            all items again.
          </Text>
          <Group mt="sm">
            <ResumeButton path={path} label="Dismiss the gap" />
          </Group>
        </Alert>
      );
    case 'paused':
      return (
        <Alert color="gray" icon={<InfoIcon />} title="Paused" mb="md">
          <Text size="sm">Nothing is delivered. Changes wait in the change feed until it is resumed.</Text>
          <Group mt="sm">
            <ResumeButton path={path} label="Resume" />
          </Group>
        </Alert>
      );
    case 'unused':
      return (
        <Alert color="gray" icon={<InfoIcon />} title="Not in use" mb="md">
          <Text size="sm">
            The plugin is disabled or does not run, or no longer declares this subscription. Its position is kept.
          </Text>
        </Alert>
      );
    case 'active':
      return null;
  }
}

function statusFacts(subscription: Subscribed): readonly Fact[] {
  const { backlogSince, waiting, lastDeliveredAt } = subscription;
  return [
    {
      label: 'Backlog',
      value: (
        <Group gap="xs" justify="flex-end">
          <span>{backlogText(subscription)}</span>
          {waiting === 0 && backlogSince === null ? null : (
            <Text size="sm" c="dimmed" span>
              {waiting > 0 ? `${waiting.toLocaleString()} wait for another attempt. ` : ''}
              {backlogSince === null ? null : (
                <>
                  Oldest change in the backlog: <Timestamp value={backlogSince} />
                </>
              )}
            </Text>
          )}
        </Group>
      ),
    },
    {
      label: 'Last delivered',
      value: lastDeliveredAt === null ? 'Never' : <Timestamp value={lastDeliveredAt} />,
    },
  ];
}

/** Tries at once what waits, resumes what is paused, and removes the mark of a gap. */
function ResumeButton({ path, label }: { readonly path: SubscriptionPath; readonly label: string }) {
  const control = useControl(() => act(path, 'resume'));
  return (
    <>
      <Failure error={control.error} />
      <Button size="xs" variant="default" loading={control.isPending} onClick={() => control.run(undefined)}>
        {label}
      </Button>
    </>
  );
}
