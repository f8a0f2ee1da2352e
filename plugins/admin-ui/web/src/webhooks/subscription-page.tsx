import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Breadcrumb } from '../ui/page/breadcrumb';
import { DeleteDialog } from '../ui/delete-dialog';
import { TrashIcon } from '../ui/icons';
import { PageHeader } from '../ui/page/page';
import { ReplayDialog } from './log/replay-dialog';
import { Subscription, SubscriptionTrouble } from './subscription';
import { SubscriptionMenu } from './subscription-menu';
import { SubscriptionBadge } from './subscription-state';
import { useTypesText } from './form/type-names';
import { pluginSubscriptionQuery, removeSubscription, subscriptionPath } from './webhook-api';

/** A subscription of a plugin: what it is about is in the code of the plugin. */
export function SubscriptionPage({ plugin, name }: { readonly plugin: string; readonly name: string }) {
  const path = subscriptionPath(plugin, name);
  const found = useQuery(pluginSubscriptionQuery(plugin, name));
  const [asked, setAsked] = useState<'replay' | 'delete'>();
  const navigate = useNavigate();
  const typesText = useTypesText();
  const close = (): void => setAsked(undefined);
  const subscription = found.data;
  if (subscription === undefined) return <SubscriptionTrouble title="Subscription" query={found} />;
  const isInUse = subscription.types !== null;
  return (
    <>
      <PageHeader
        title={subscription.id}
        breadcrumb={<Breadcrumb links={[{ to: '/webhooks', text: 'Webhooks' }]} />}
        status={<SubscriptionBadge subscription={subscription} />}
        actions={
          <SubscriptionMenu path={path} subscription={subscription} onReplay={() => setAsked('replay')}>
            {isInUse ? null : (
              <>
                <Menu.Divider />
                <Menu.Item
                  className="quiet-danger"
                  leftSection={<TrashIcon size={16} />}
                  onClick={() => setAsked('delete')}
                >
                  Delete …
                </Menu.Item>
              </>
            )}
          </SubscriptionMenu>
        }
      />
      <Subscription
        path={path}
        subscription={subscription}
        facts={[
          { label: 'Plugin', value: `${plugin}, which declares it in its code` },
          { label: 'Types', value: typesText(subscription) },
        ]}
      />
      <ReplayDialog path={path} opened={asked === 'replay'} onClose={close} />
      <DeleteDialog
        opened={asked === 'delete'}
        title={`Delete the subscription ${subscription.id}?`}
        onDelete={async () => {
          await removeSubscription(path);
          await navigate('/webhooks');
        }}
        onClose={close}
      >
        Its position, its log and its undelivered changes are deleted. If the plugin is enabled again, it begins as a
        new one.
      </DeleteDialog>
    </>
  );
}
