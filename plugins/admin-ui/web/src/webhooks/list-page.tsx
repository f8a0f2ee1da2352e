import './webhooks.css';
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { DataTable, type TableColumn } from '../ui/data-table';
import { OutsideIcon, PlusIcon } from '../ui/icons';
import { LinkButton } from '../ui/page/link-button';
import { PageHeader } from '../ui/page/page';
import { RelativeTime } from '../ui/time/relative-time';
import { EmptyState, ErrorState, LoadingState } from '../ui/states';
import { backlogText, SubscriptionBadge } from './subscription-state';
import { answerText } from './log/answer-text';
import { useTypesText } from './form/type-names';
import {
  pluginSubscriptionsQuery,
  webhooksQuery,
  type PluginSubscription,
  type Subscribed,
  type Webhook,
} from './webhook-api';

/** Who gets the changes of items: other programs, and code of plugins. */
export function ListPage() {
  const webhooks = useQuery(webhooksQuery);
  const subscriptions = useQuery(pluginSubscriptionsQuery);
  return (
    <>
      <PageHeader
        title="Webhooks"
        status={webhooks.data?.length ? <span className="page-total">{webhooks.data.length}</span> : null}
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
    <DataTable
      label="Webhooks"
      className="subscriptions"
      rows={webhooks}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Name',
          isRowHeader: true,
          hint: ({ url }) => url,
          cell: ({ id, name, url }) => (
            <>
              <Link to={`/webhooks/${id}`} className="row-name">
                <bdi>{name}</bdi>
              </Link>
              <span className="row-note">{url}</span>
            </>
          ),
        },
        { title: 'State', cell: (webhook) => <SubscriptionBadge subscription={webhook} /> },
        {
          title: 'Created by',
          className: 'wide',
          cell: ({ createdBy, createdByName }) => <bdi>{createdByName ?? createdBy}</bdi>,
        },
        ...statusColumns(now),
      ]}
    />
  );
}

interface PluginSubscriptionsProps {
  readonly subscriptions: readonly PluginSubscription[];
  readonly now: number;
}

function PluginSubscriptions({ subscriptions, now }: PluginSubscriptionsProps) {
  const title = useId();
  const typesText = useTypesText();
  return (
    <div>
      <Title order={2} id={title}>
        Subscriptions of plugins
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Plugins declare them in their code.
      </Text>
      <DataTable
        labelledBy={title}
        className="subscriptions"
        rows={subscriptions}
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'Subscription',
            isRowHeader: true,
            cell: ({ id }) => (
              <Link to={`/webhooks/${id}`} className="row-name">
                {id}
              </Link>
            ),
          },
          { title: 'State', cell: (subscription) => <SubscriptionBadge subscription={subscription} /> },
          { title: 'Types', className: 'wide', hint: typesText, cell: typesText },
          ...statusColumns(now),
        ]}
      />
    </div>
  );
}

function statusColumns(now: number): readonly TableColumn<Subscribed>[] {
  return [
    { title: 'Backlog', className: 'wide', align: 'end', cell: backlogText },
    { title: 'Undelivered', className: 'wide', align: 'end', cell: ({ undelivered }) => undelivered.toLocaleString() },
    {
      title: 'Last attempt',
      className: 'wide',
      cell: ({ lastAttempt }) => <RelativeTime value={lastAttempt?.at ?? null} now={now} />,
    },
    {
      title: 'Answer',
      className: 'wide',
      hint: ({ lastAttempt }) => lastAttempt?.error ?? undefined,
      cell: ({ lastAttempt }) =>
        lastAttempt === null ? <span className="no-value">None yet</span> : (answerText(lastAttempt) ?? 'Delivered'),
    },
  ];
}
