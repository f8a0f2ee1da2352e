export { assertPublicHost } from './address-check';
export type { Feed, FeedChange } from './feed';
export { createPluginSubscriptions } from './plugin-subscriptions';
export type { PluginSubscriptions } from './plugin-subscriptions';
export { createFeed } from './read-feed';
export { createReceivers } from './receivers';
export type { PluginSubscription } from './receivers';
export type { LogPage } from './subscription-control';
export { createSubscriptionEngine } from './subscription-engine';
export type { SubscriptionEngine } from './subscription-engine';
export { createSubscriptionStore } from './subscription-store';
export { addSubscriptionMetrics } from './subscription-metrics';
export { resealWebhooks } from './reseal-webhooks';
export { subscriptionSchema } from './tables';
export { cloudEventOf, testEventOf, webhookIdOf } from './webhook-event';
export { originOf } from './webhook-headers';
export { contentType, createWebhookSender } from './webhook-sender';
export type { WebhookSender } from './webhook-sender';
export { createWebhooks } from './webhooks';
export type { WebhookInput, Webhooks } from './webhooks';
export {
  deliveryAttempt,
  givenUpChange,
  pluginSubscription,
  positionText,
  webhook,
  webhookRequest,
  webhookSettings,
  webhookTest,
  webhookWithSecret,
} from './webhook-schemas';
export type {
  DeliveryAttempt,
  GivenUpChange,
  PluginSubscriptionStatus,
  SubscriptionState,
  Webhook,
  WebhookCondition,
  WebhookRequestView,
  WebhookTest,
} from './webhook-schemas';
