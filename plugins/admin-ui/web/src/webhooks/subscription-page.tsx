import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { DeleteDialog } from '../ui/delete-dialog';
import { PageHeader } from '../ui/page';
import { typesText } from './list-page';
import { PauseButton } from './pause-button';
import { ReplayDialog } from './replay-dialog';
import { Subscription, SubscriptionTrouble } from './subscription';
import { pluginSubscriptionQuery, removeSubscription, subscriptionPath } from './webhook-api';

/** A subscription of a plugin: what it is about is in the code of the plugin. */
export function SubscriptionPage({ plugin, name }: { readonly plugin: string; readonly name: string }) {
  const path = subscriptionPath(plugin, name);
  const found = useQuery(pluginSubscriptionQuery(plugin, name));
  const [asked, setAsked] = useState<'replay' | 'delete'>();
  const navigate = useNavigate();
  const close = (): void => setAsked(undefined);
  const subscription = found.data;
  if (subscription === undefined) return <SubscriptionTrouble title="Subscription" query={found} />;
  const isInUse = subscription.types !== null;
  return (
    <>
      <PageHeader
        title={subscription.id}
        description={`A subscription of the plugin ${plugin}, declared in its code.`}
        actions={
          <>
            {isInUse ? null : (
              <Button variant="default" className="quiet-danger" onClick={() => setAsked('delete')}>
                Delete …
              </Button>
            )}
            <Button variant="default" onClick={() => setAsked('replay')}>
              Deliver again …
            </Button>
            <PauseButton path={path} subscription={subscription} />
          </>
        }
      />
      <Subscription
        path={path}
        subscription={subscription}
        facts={[{ label: 'Types', value: typesText(subscription) }]}
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
