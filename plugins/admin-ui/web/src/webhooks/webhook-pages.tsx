import { useParams } from 'react-router-dom';
import { LinkButton } from '../ui/page/link-button';
import { PageHeader } from '../ui/page/page';
import { EmptyState } from '../ui/states';
import { FormPage } from './form/form-page';
import { ListPage } from './list-page';
import { SubscriptionPage } from './subscription-page';
import { WebhookPage } from './webhook-page';

/**
 * Every page below /webhooks: one script, loaded when one of them is first opened. They are distinguished by their paths here, because what the
 * router needs for nested ones would be loaded with the first page of the application.
 */
export function WebhookPages() {
  const [id, name, ...more] = (useParams()['*'] ?? '').split('/').filter((part) => part !== '');
  if (id === undefined) return <ListPage />;
  if (more.length > 0) return <NotFound />;
  if (name === undefined) return id === 'new' ? <FormPage /> : <WebhookPage key={id} id={id} />;
  // No id of a plugin is like one of a webhook.
  if (!id.startsWith('wh_')) return <SubscriptionPage key={`${id}/${name}`} plugin={id} name={name} />;
  return name === 'edit' ? <FormPage key={id} id={id} /> : <NotFound />;
}

function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState title="Not found" action={<LinkButton to="/webhooks">All webhooks</LinkButton>}>
        Check the address, or go to the list of webhooks.
      </EmptyState>
    </>
  );
}
