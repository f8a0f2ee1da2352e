import type { Route } from '@gantry/plugin-api';
import { subscriptionRoutes } from './webhooks/subscription-routes';
import { webhookRoutes } from './webhooks/webhook-routes';

/** All routes of the platform that are declared with their contracts, for documents about them. */
export const declaredRoutes: readonly Route<never>[] = [...webhookRoutes, ...subscriptionRoutes];
