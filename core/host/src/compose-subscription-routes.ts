import type { Content } from './composition/open-content';
import type { Subscriptions } from './composition/open-subscriptions';
import type { HostConfig } from './config';
import { hostRoutes, type HostRouteServer, type Routes } from '@gantry/core-http';
import { subscriptionRoutes, webhookRoutes } from '@gantry/core-webhooks';

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
