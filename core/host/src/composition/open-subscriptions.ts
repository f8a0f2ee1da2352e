import { readUserNames } from '@gantry/core-identity';
import { subscriptionsTaskQueue, type DeliverInput } from '@gantry/contracts';
import type { Logger, Temporal } from '@gantry/plugin-api';
import type { HostConfig } from '../config';
import { firstPosition } from '@gantry/core-history';
import { systemScope } from '@gantry/core-content';
import { createSecretBox } from '@gantry/core-common';
import type { RegisteredPlugin } from '@gantry/core-loader';
import {
  createFeed,
  createPluginSubscriptions,
  createReceivers,
  createSubscriptionEngine,
  createSubscriptionStore,
  createWebhooks,
  createWebhookSender,
  type Feed,
  type PluginSubscription,
  type PluginSubscriptions,
  type SubscriptionEngine,
  type Webhooks,
  type WebhookSender,
  workflowsPath,
} from '@gantry/core-webhooks';
import type { Content } from './open-content';

export interface SubscriptionsOptions {
  readonly config: HostConfig;
  readonly content: Content;
  readonly temporal: Temporal;
  readonly logger: Logger;
  /** Of the platform, for the header `User-Agent`. */
  readonly version: string;
}

/** Webhooks and subscriptions of plugins, and what delivers to them. */
export interface Subscriptions {
  readonly engine: SubscriptionEngine;
  readonly webhooks: Webhooks;
  /** Subscriptions that plugins declare. */
  readonly subscriptions: PluginSubscriptions;
  readonly sender: WebhookSender;
  readonly feed: Feed;
  /** `source` of the events. */
  readonly source: string;
  /** The service that runs the workflows and their activity. */
  readonly service: {
    readonly id: string;
    readonly taskQueue: string;
    readonly workflowsPath: string;
    readonly activities: () => object;
    readonly limits: {
      readonly maxConcurrentActivityTaskExecutions: number;
      readonly maxHeartbeatThrottleInterval: number;
    };
    readonly needed: Promise<void>;
  };
  /** Begins to look for changes; the plugins have started. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Deliveries at the same time in one host; others wait in Temporal. */
const maxDeliveries = 1_000;
/** So often a host that delivers reports to Temporal that it still does. */
const heartbeatIntervalMs = 3_000;

export function openSubscriptions({ config, content, temporal, logger, version }: SubscriptionsOptions): Subscriptions {
  const { changes, database, identity, policies, registry } = content;
  const { installationId } = identity;
  const store = createSubscriptionStore(database.plugins);
  const feed = createFeed({ changes, database, scope: systemScope(policies.open, 'Delivery to subscriptions') });
  const webhooks = createWebhooks({
    database: database.plugins,
    box: createSecretBox(config.home, config.secretKey),
    feed,
    namesOf: (actors) => readUserNames(database.plugins, actors),
  });
  const sender = createWebhookSender({ allowPrivateAddresses: config.allowsPrivateWebhooks ?? false, version });
  const source = `urn:gantry:${installationId}`;
  const isInUse = ({ manifest }: RegisteredPlugin): boolean => registry.served(manifest.id) === 'served';
  const plugins = (): readonly PluginSubscription[] =>
    registry
      .registeredPlugins()
      .filter(isInUse)
      .flatMap((plugin) => subscriptionsOf(plugin, content));
  const subscriptions = createPluginSubscriptions({ database: database.plugins, feed, plugins });
  const receivers = createReceivers({ webhooks, sender, source, plugins, hasField: feed.hasField });
  const engine = createSubscriptionEngine({ store, feed, receivers, temporal, logger, installationId });
  const unlisten = content.onCommit(engine.notify);
  return {
    ...{ engine, webhooks, subscriptions, sender, feed, source },
    service: {
      // No plugin has such an id.
      id: 'gantry.subscriptions',
      taskQueue: subscriptionsTaskQueue,
      workflowsPath,
      activities: () => ({ deliver: (input: DeliverInput) => deliver(engine, input) }),
      limits: {
        maxConcurrentActivityTaskExecutions: maxDeliveries,
        maxHeartbeatThrottleInterval: heartbeatIntervalMs,
      },
      needed: engine.needed,
    },
    async start() {
      for (const plugin of registry.registeredPlugins().filter(isInUse)) {
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
}

/** The package is large, and loaded by the worker already. */
async function deliver(engine: SubscriptionEngine, input: DeliverInput): Promise<unknown> {
  const { Context } = await import('@temporalio/activity');
  const context = Context.current();
  return engine.deliver(input, { heartbeat: () => context.heartbeat(), cancelled: context.cancellationSignal });
}

function subscriptionsOf(plugin: RegisteredPlugin, { requests, registry }: Content): readonly PluginSubscription[] {
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
