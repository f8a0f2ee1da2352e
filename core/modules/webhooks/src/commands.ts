/** For commands on the database, which serve nothing. */
export { resealWebhooks } from './sending/reseal-webhooks';
export { subscriptionSchema } from './tables';
export { deleteWebhooksOf, listWebhooksOf } from './sending/webhooks-of-users';
