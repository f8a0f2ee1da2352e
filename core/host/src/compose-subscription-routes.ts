import type { Content } from './composition/open-content';
import type { Subscriptions } from './composition/open-subscriptions';
import type { HostConfig } from './config';
import { authorOf, recordAction } from './http/authentication/record-action';
import { createJsonReader } from './http/exchange/body';
import { assertHas } from './http/exchange/principal';
import type { Routes } from './http/exchange/routes';
import { webhooksPermission } from './http/webhooks/control-paths';
import { subscriptionRoutes } from './http/webhooks/subscription-routes';
import { webhookRoutes } from './http/webhooks/webhook-routes';

export interface SubscriptionRouteOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly subscriptions: Subscriptions;
}

/** The routes of webhooks and of subscriptions of plugins. */
export function routesOfSubscriptions({ config, content, subscriptions }: SubscriptionRouteOptions): readonly Routes[] {
  const shared = { ...subscriptions, readJson: createJsonReader(config.bodyLimit) };
  return [
    webhookRoutes({
      ...shared,
      types: () => content.policies.open.types,
      allowsPrivateAddresses: config.allowsPrivateWebhooks ?? false,
      change: (request, work) =>
        content.identity.change(
          authorOf(request, (rights) => assertHas(rights, webhooksPermission)),
          work,
        ),
      record: (request, action, { id, name }) =>
        recordAction(content.identity, request, { action, subject: `webhook:${id}`, detail: { name } }),
    }),
    subscriptionRoutes({
      ...shared,
      record: (request, action, { id }) =>
        recordAction(content.identity, request, { action, subject: `subscription:${id}` }),
    }),
  ];
}
