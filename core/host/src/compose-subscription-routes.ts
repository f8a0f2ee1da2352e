import type { Content } from './composition/open-content';
import type { Subscriptions } from './composition/open-subscriptions';
import type { HostConfig } from './config';
import { hostRoutes, type HostRouteServer } from './http/exchange/host-routes';
import type { Routes } from './http/exchange/routes';
import { subscriptionRoutes } from './http/webhooks/subscription-routes';
import { webhookRoutes } from './http/webhooks/webhook-routes';

export interface SubscriptionRouteOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly subscriptions: Subscriptions;
  readonly server: HostRouteServer;
}

/** The routes of webhooks and of subscriptions of plugins. */
export function routesOfSubscriptions({
  config,
  content,
  subscriptions,
  server,
}: SubscriptionRouteOptions): readonly Routes[] {
  const webhookServices = {
    ...subscriptions,
    types: () => content.policies.open.types,
    allowsPrivateAddresses: config.allowsPrivateWebhooks ?? false,
    change: content.identity.change,
  };
  return [hostRoutes(webhookRoutes, webhookServices, server), hostRoutes(subscriptionRoutes, subscriptions, server)];
}
