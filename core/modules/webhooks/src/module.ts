import { createSecretBox } from '@gantry/core-common';
import { systemScope } from '@gantry/core-content';
import { subscriptionsTaskQueue, type DeliverInput } from '@gantry/contracts';
import { firstPosition } from '@gantry/core-database';
import { hostRoutes, type Kernel, type Module, type ModuleService, type RegisteredPlugin } from '@gantry/core-http';
import { createPluginSubscriptions } from './delivery/plugin-subscriptions';
import { createFeed } from './delivery/read-feed';
import { createReceivers, type PluginSubscription } from './delivery/receivers';
import { subscriptionRoutes } from './routes/subscription-routes';
import { webhookRoutes } from './routes/webhook-routes';
import { createSubscriptionEngine, type SubscriptionEngine } from './delivery/subscription-engine';
import { addSubscriptionMetrics } from './delivery/subscription-metrics';
import { createSubscriptionStore } from './delivery/subscription-store';
import { createWebhookSender } from './sending/webhook-sender';
import { createWebhooks } from './sending/webhooks';
import { subscriptionSchema } from './tables';
import { workflowsPath } from './workflows-path';

export interface WebhookSettings {
  readonly home: string;
  /** Keys that encrypt what is stored, in place of those of the home. */
  readonly secretKey?: string | undefined;
  /** Whether webhooks may have addresses of private networks. */
  readonly allowsPrivateWebhooks?: boolean | undefined;
}

/** Deliveries at the same time in one host; others wait in Temporal. */
const maxDeliveries = 1_000;
/** So often a host that delivers reports to Temporal that it still does. */
const heartbeatIntervalMs = 3_000;

/** Webhooks, subscriptions of plugins, and what delivers to them. */
export const webhooks: Module<WebhookSettings> = {
  id: 'gantry.webhooks',
  tables: subscriptionSchema,
  permissions: [
    { name: 'webhooks.manage', displayName: 'See and change webhooks, which get the changes of all items' },
  ],
  routes: [...webhookRoutes, ...subscriptionRoutes],
  open(kernel) {
    const { accounts, changes, database, logger, policies, settings, temporal, version } = kernel;
    const { installationId } = accounts;
    const source = `urn:gantry:${installationId}`;
    const allowsPrivateAddresses = settings.allowsPrivateWebhooks ?? false;
    const store = createSubscriptionStore(database.plugins);
    const feed = createFeed({ changes, database, scope: systemScope(policies.open, 'Delivery to subscriptions') });
    const defined = createWebhooks({
      database: database.plugins,
      box: createSecretBox(settings.home, settings.secretKey),
      feed,
      namesOf: accounts.namesOf,
    });
    const sender = createWebhookSender({ allowPrivateAddresses: allowsPrivateAddresses, version });
    const inUse = (): readonly RegisteredPlugin[] => pluginsInUse(kernel);
    const plugins = (): readonly PluginSubscription[] => inUse().flatMap((plugin) => subscriptionsOf(plugin, kernel));
    const subscriptions = createPluginSubscriptions({ database: database.plugins, feed, plugins });
    const receivers = createReceivers({ webhooks: defined, sender, source, plugins, hasField: feed.hasField });
    const engine = createSubscriptionEngine({ store, feed, receivers, temporal, logger, installationId });
    const unlisten = kernel.onCommit(engine.notify);
    const services = { engine, webhooks: defined, subscriptions, sender, feed, source };
    const { change } = accounts;
    const ofWebhooks = { ...services, types: () => policies.open.types, allowsPrivateAddresses, change };
    return {
      routes: (server) => [
        hostRoutes(webhookRoutes, ofWebhooks, server),
        hostRoutes(subscriptionRoutes, services, server),
      ],
      health: engine.health,
      addMetrics: (registry) => addSubscriptionMetrics(registry, services),
      service: serviceOf(engine),
      async start() {
        for (const plugin of inUse()) {
          for (const { id, startAt, types = [] } of plugin.definition.subscriptions ?? []) {
            const position = startAt === 'oldest' ? firstPosition : await feed.end();
            await store.ensure(nameOf(plugin, id), position, feed.typesInUse(types));
          }
        }
        engine.start();
      },
      async stop() {
        unlisten();
        await engine.stop();
        await sender.close();
      },
    };
  },
};

function serviceOf(engine: SubscriptionEngine): ModuleService {
  return {
    id: 'gantry.subscriptions',
    taskQueue: subscriptionsTaskQueue,
    workflowsPath,
    activities: () => ({ deliver: (input: DeliverInput) => deliver(engine, input) }),
    limits: { maxConcurrentActivityTaskExecutions: maxDeliveries, maxHeartbeatThrottleInterval: heartbeatIntervalMs },
    needed: engine.needed,
  };
}

/** The package is large, and loaded by the worker already. */
async function deliver(engine: SubscriptionEngine, input: DeliverInput): Promise<unknown> {
  const { Context } = await import('@temporalio/activity');
  const context = Context.current();
  return engine.deliver(input, { heartbeat: () => context.heartbeat(), cancelled: context.cancellationSignal });
}

function pluginsInUse({ registry }: Kernel): readonly RegisteredPlugin[] {
  return registry.registeredPlugins().filter(({ manifest }) => registry.served(manifest.id) === 'served');
}

function subscriptionsOf(plugin: RegisteredPlugin, { requests, registry }: Kernel): readonly PluginSubscription[] {
  const { manifest, definition, context } = plugin;
  return (definition.subscriptions ?? []).map((subscription) => ({
    name: nameOf(plugin, subscription.id),
    types: subscription.types ?? [],
    handle: (batch, signal) =>
      requests.leave(() => registry.enter(manifest.id, () => subscription.handle(batch, { ...context, signal }))),
  }));
}

function nameOf({ manifest }: RegisteredPlugin, id: string): string {
  return `${manifest.id}/${id}`;
}
