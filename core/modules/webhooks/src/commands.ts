/** For commands on the database, which serve nothing. */
export { resealWebhooks } from './reseal-webhooks';
export { subscriptionSchema } from './tables';
export { deleteWebhooksOf, listWebhooksOf } from './webhooks-of-users';
