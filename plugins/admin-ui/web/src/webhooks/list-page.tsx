import './webhooks.css';
import { Stack, Text, Title } from '@mantine/core';
import type { PluginSubscriptionStatus, SubscriptionStatus, Webhook } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { OutsideIcon, PlusIcon } from '../ui/icons';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page';
import { RelativeTime } from '../ui/relative-time';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { backlogText, SubscriptionBadge } from './subscription-state';
import { pluginSubscriptionsQuery, webhooksQuery } from './webhook-api';

/** Who gets the changes of items: other programs, and code of plugins. */
export function ListPage() {
  const webhooks = useQuery(webhooksQuery);
  const subscriptions = useQuery(pluginSubscriptionsQuery);
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Webhooks send the changes of items to other programs. A webhook gets all fields of all items of its types."
        actions={
          <LinkButton to="/webhooks/new" leftSection={<PlusIcon size={16} />}>
            New webhook
          </LinkButton>
        }
      />
      <Stack gap="xl">
        <div>
          {webhooks.error === null ? null : (
            <ErrorState
              error={webhooks.error}
              title="The webhooks could not be loaded"
              onRetry={() => void webhooks.refetch()}
            />
          )}
          {webhooks.isPending ? <LoadingState rows={3} /> : null}
          {webhooks.data === undefined ? null : <Webhooks webhooks={webhooks.data} now={webhooks.dataUpdatedAt} />}
        </div>
        {subscriptions.error === null ? null : (
          <ErrorState
            error={subscriptions.error}
            title="The subscriptions of plugins could not be loaded"
            onRetry={() => void subscriptions.refetch()}
          />
        )}
        {subscriptions.data === undefined || subscriptions.data.length === 0 ? null : (
          <PluginSubscriptions subscriptions={subscriptions.data} now={subscriptions.dataUpdatedAt} />
        )}
      </Stack>
    </>
  );
}

interface WebhooksProps {
  readonly webhooks: readonly Webhook[];
  readonly now: number;
}

function Webhooks({ webhooks, now }: WebhooksProps) {
  if (webhooks.length === 0) {
    return (
      <EmptyState title="No webhooks yet" icon={<OutsideIcon size={40} />}>
        A webhook is an address that gets an HTTP request for each change of an item.
      </EmptyState>
    );
  }
  return (
    <div className="items subscriptions" role="region" aria-label="Webhooks" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">URL</th>
            <th scope="col">Created by</th>
            <StatusHeads />
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row">
                <Link to={`/webhooks/${webhook.id}`} className="cell-link">
                  <bdi>{webhook.name}</bdi>
                </Link>
              </th>
              <td>
                <SubscriptionBadge subscription={webhook} />
              </td>
              <td title={webhook.url}>{webhook.url}</td>
              <td>
                <bdi>{webhook.createdByName ?? webhook.createdBy}</bdi>
              </td>
              <StatusCells subscription={webhook} now={now} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PluginSubscriptionsProps {
  readonly subscriptions: readonly PluginSubscriptionStatus[];
  readonly now: number;
}

function PluginSubscriptions({ subscriptions, now }: PluginSubscriptionsProps) {
  const title = useId();
  return (
    <div>
      <Title order={2} size="h4" id={title}>
        Subscriptions of plugins
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Plugins declare them in their code.
      </Text>
      <div className="items subscriptions" role="region" aria-labelledby={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Subscription</th>
              <th scope="col">State</th>
              <th scope="col">Types</th>
              <StatusHeads />
            </tr>
          </thead>
          <tbody>
            {subscriptions.map((subscription) => (
              <tr key={subscription.id}>
                <th scope="row">
                  <Link to={`/webhooks/${subscription.id}`} className="cell-link">
                    {subscription.id}
                  </Link>
                </th>
                <td>
                  <SubscriptionBadge subscription={subscription} />
                </td>
                <td title={typesText(subscription)}>{typesText(subscription)}</td>
                <StatusCells subscription={subscription} now={now} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

export function typesText({ types }: Pick<PluginSubscriptionStatus, 'types'>): string {
  if (types === null) return 'Unknown while the plugin is not in use';
  return types.length === 0 ? 'All types' : types.join(', ');
}

function StatusHeads() {
  return (
    <>
      <th scope="col" className="number">
        Backlog
      </th>
      <th scope="col" className="number">
        Undelivered
      </th>
      <th scope="col">Last attempt</th>
      <th scope="col">Answer</th>
    </>
  );
}

function StatusCells({ subscription, now }: { readonly subscription: SubscriptionStatus; readonly now: number }) {
  const { undelivered, lastAttempt } = subscription;
  const answer = answerText(lastAttempt);
  return (
    <>
      <td className="number">{backlogText(subscription)}</td>
      <td className="number">{undelivered.toLocaleString()}</td>
      <td>
        <RelativeTime value={lastAttempt?.at ?? null} now={now} />
      </td>
      <td title={answer}>{answer}</td>
    </>
  );
}

function answerText(attempt: SubscriptionStatus['lastAttempt']): string {
  if (attempt === null) return 'None yet';
  if (!attempt.delivered) return attempt.error ?? 'Not delivered';
  return attempt.status === null ? 'Delivered' : `Status ${attempt.status}`;
}
