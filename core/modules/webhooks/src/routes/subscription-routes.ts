import type { Route } from '@gantry/plugin-api';
import { z } from 'zod';
import { pluginSubscription, positionText } from '../sending/webhook-schemas';
import type { PluginSubscriptions } from '../delivery/plugin-subscriptions';
import { routesWith } from '@gantry/core-http';
import { controlRoutes, managesWebhooks, type ControlServices, type Named } from './control-routes';

export interface PluginSubscriptionServices extends ControlServices {
  readonly subscriptions: PluginSubscriptions;
}

const route = routesWith<PluginSubscriptionServices>();
const path = '/api/platform/subscriptions/:plugin/:name';
const parameters = z.object({ plugin: z.string(), name: z.string() });
const idOf = ({ plugin, name }: z.infer<typeof parameters>): string => `${plugin}/${name}`;
const params = parameters.transform(idOf);
const paramsOfChange = parameters
  .extend({ position: positionText })
  .transform(({ position, ...names }) => ({ id: idOf(names), position }));
const audited = ({ id }: Named) => ({ subject: `subscription:${id}` });

/** Subscriptions that plugins declare: what they are about is in the code of the plugin, whether and from where they deliver is here. */
export const subscriptionRoutes: readonly Route<PluginSubscriptionServices>[] = [
  route({
    method: 'GET',
    path: '/api/platform/subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List the subscriptions of all plugins',
    description: 'Includes subscriptions of plugins that are not in use; their changes wait.',
    access: managesWebhooks,
    answer: z.array(pluginSubscription),
    handler: async (_call, { subscriptions }) => ({ data: await subscriptions.list() }),
  }),
  route({
    method: 'GET',
    path,
    operationId: 'readSubscription',
    summary: 'Show a subscription of a plugin',
    description: 'Includes state, backlog and latest attempt.',
    access: managesWebhooks,
    params,
    answer: pluginSubscription,
    handler: async ({ params: id }, { subscriptions }) => ({ data: await subscriptions.get(id) }),
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteSubscription',
    summary: 'Delete the subscription of a plugin that is not in use',
    description:
      'Deletes the position too: when the plugin is enabled again, the subscription begins as a new one. 409 while the ' +
      'plugin declares it.',
    access: managesWebhooks,
    audit: 'subscription-deleted',
    params,
    async handler({ params: id, audit }, { subscriptions, engine }) {
      const subscriptionId = await subscriptions.subscriptionOf(id);
      await audit(audited(await subscriptions.remove(id)));
      await engine.refresh(subscriptionId);
      return {};
    },
  }),
  ...controlRoutes<PluginSubscriptionServices>({
    ...{ noun: 'subscription', path, params, paramsOfChange, audited },
    subscriptions: ({ subscriptions }) => subscriptions,
    subscription: pluginSubscription,
    request: z.looseObject({}).describe('The change as the plugin gets it.'),
    requestOf: (_services, _id, { json }) => Promise.resolve(json),
    operationIds: {
      pause: 'pauseSubscription',
      resume: 'resumeSubscription',
      retry: 'retryChangesOfSubscription',
      discard: 'discardChangesOfSubscription',
      replay: 'replaySubscription',
      deliveries: 'deliveriesOfSubscription',
      undelivered: 'undeliveredChangesOfSubscription',
      change: 'changeOfSubscription',
    },
  }),
];
