import { Alert, Button, Menu, Text } from '@mantine/core';
import { useQuery, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Breadcrumb } from '../ui/page/breadcrumb';
import { DeleteDialog } from '../ui/delete-dialog';
import { EditIcon, KeyIcon, TrashIcon, WarningIcon } from '../ui/icons';
import { PageHeader } from '../ui/page/page';
import { Timestamp } from '../ui/time/timestamp';
import { ReplayDialog } from './log/replay-dialog';
import { RotateDialog } from './secret-dialog';
import { Subscription, SubscriptionTrouble, type Fact } from './subscription';
import { TestDialog } from './test-dialog';
import { SubscriptionMenu } from './subscription-menu';
import { SubscriptionBadge } from './subscription-state';
import { useTypesText } from './form/type-names';
import {
  removeSubscription,
  webhookPath,
  webhookQuery,
  type SubscriptionPath,
  type Webhook,
  type WebhookCondition,
} from './webhook-api';
import { actionText } from './form/webhook-draft';
import type { FormField } from '@gantry/contracts';
import { metadataQuery } from '../api/queries';
import { optionText } from '../content/choice-text';

type Asked = 'test' | 'replay' | 'secret' | 'delete';

/** A webhook: how it does, what became of its changes, and what can be done with it. */
export function WebhookPage({ id }: { readonly id: string }) {
  const path = webhookPath(id);
  const found = useQuery(webhookQuery(id));
  const typesText = useTypesText();
  const webhook = found.data;
  if (webhook === undefined) return <SubscriptionTrouble title="Webhook" query={found} />;
  return (
    <>
      <Head webhook={webhook} path={path} />
      {webhook.typesNotInUse.length === 0 ? null : (
        <Alert color="yellow" icon={<WarningIcon />} title="Types are not in use" mb="md">
          <Text size="sm">
            The plugin of {webhook.typesNotInUse.join(', ')} is not in use. Changes of these types wait and are
            delivered when it is in use again. Others are delivered.
          </Text>
        </Alert>
      )}
      {webhook.fieldsNotInUse.length === 0 ? null : (
        <Alert color="yellow" icon={<WarningIcon />} title="Fields are not in use" mb="md">
          <Text size="sm">
            The filter compares {webhook.fieldsNotInUse.join(', ')}, which a type no longer has. Changes of this type
            are not delivered. Edit the filter.
          </Text>
        </Alert>
      )}
      <Subscription path={path} subscription={webhook} facts={factsOf(webhook, typesText(webhook))} />
    </>
  );
}

function Head({ webhook, path }: { readonly webhook: Webhook; readonly path: SubscriptionPath }) {
  const [asked, setAsked] = useState<Asked>();
  const navigate = useNavigate();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <PageHeader
        title={webhook.name}
        breadcrumb={<Breadcrumb links={[{ to: '/webhooks', text: 'Webhooks' }]} />}
        status={<SubscriptionBadge subscription={webhook} />}
        actions={
          <>
            <SubscriptionMenu
              path={path}
              subscription={webhook}
              onReplay={() => setAsked('replay')}
              before={
                <Menu.Item component={Link} to={`/webhooks/${webhook.id}/edit`} leftSection={<EditIcon size={16} />}>
                  Edit
                </Menu.Item>
              }
            >
              <Menu.Item leftSection={<KeyIcon size={16} />} onClick={() => setAsked('secret')}>
                New secret …
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                className="quiet-danger"
                leftSection={<TrashIcon size={16} />}
                onClick={() => setAsked('delete')}
              >
                Delete …
              </Menu.Item>
            </SubscriptionMenu>
            <Button onClick={() => setAsked('test')}>Send a test</Button>
          </>
        }
      />
      <TestDialog id={webhook.id} opened={asked === 'test'} onClose={close} />
      <ReplayDialog path={path} opened={asked === 'replay'} onClose={close} />
      <RotateDialog id={webhook.id} opened={asked === 'secret'} onClose={close} />
      <DeleteDialog
        opened={asked === 'delete'}
        title={`Delete the webhook ${webhook.name}?`}
        onDelete={async () => {
          await removeSubscription(path);
          await navigate('/webhooks');
        }}
        onClose={close}
      >
        Nothing is sent to {webhook.url} any more. Its log and its undelivered changes are deleted.
      </DeleteDialog>
    </>
  );
}

function factsOf(webhook: Webhook, typesText: string): readonly Fact[] {
  const { url, actions, filter, headers, earlierSecretUntil } = webhook;
  const facts: Fact[] = [
    { label: 'URL', value: url },
    { label: 'Types', value: typesText },
    { label: 'Actions', value: actions.length === 0 ? 'All actions' : actions.map(actionText).join(', ') },
  ];
  if (filter.length > 0) facts.push({ label: 'Filter', value: <FilterText {...webhook} /> });
  if (headers.length > 0) facts.push({ label: 'Header fields', value: `${headers.join(', ')} (values are hidden)` });
  if (earlierSecretUntil !== null) {
    const value = (
      <>
        Requests are signed with the earlier one, too, until <Timestamp value={earlierSecretUntil} />
      </>
    );
    facts.push({ label: 'Secret', value });
  }
  return facts;
}

/** The conditions of a webhook, with what its types call fields and options. */
function FilterText({ types, filter }: Pick<Webhook, 'types' | 'filter'>) {
  const found = useQueries({ queries: types.map((type) => metadataQuery(type)) });
  const fields = found.flatMap(({ data }) => data?.fields ?? []);
  return filter.map((condition) => conditionText(condition, fields)).join('; ');
}

function conditionText({ field, operator, value }: WebhookCondition, fields: readonly FormField[]): string {
  const known = fields.find(({ name }) => name === field);
  const shown = known?.options?.includes(value) === true ? optionText(known, value) : value;
  return `${known?.displayName ?? field} ${operator === 'EQUALS' ? 'is' : 'is not'} ${shown || 'empty'}`;
}
