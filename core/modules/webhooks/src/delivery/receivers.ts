import type { ItemChange } from '@gantry/contracts';
import { withTimeout } from '@gantry/core-common';
import type { Receiver } from './run-delivery';
import type { Receivers } from './subscription-engine';
import { cloudEventOf, webhookIdOf } from '../sending/webhook-event';
import { isSelected, type HasField } from '../sending/webhook-filter';
import type { WebhookSender } from '../sending/webhook-sender';
import type { Webhooks } from '../sending/webhooks';

/** A subscription of a plugin that is in use. */
export interface PluginSubscription {
  /** `<plugin>/<id>`. */
  readonly name: string;
  /** Type codes; empty for all. */
  readonly types: readonly string[];
  /** Runs the code of the plugin. */
  handle(batch: readonly ItemChange[], signal: AbortSignal): Promise<void>;
}

export interface ReceiversOptions {
  readonly webhooks: Webhooks;
  readonly sender: WebhookSender;
  /** `source` of the events. */
  readonly source: string;
  readonly plugins: () => readonly PluginSubscription[];
  readonly hasField: HasField;
}

/** Requests to one webhook at the same time, each about another item. */
const concurrency = 32;
/** Changes that a plugin gets at once. */
const batchSize = 100;
/** Milliseconds that a plugin has for a batch. */
const handleTimeoutMs = 60_000;

/** Sends changes to webhooks, and gives them to plugins. */
export function createReceivers(options: ReceiversOptions): Receivers {
  const { plugins } = options;
  const findPlugin = (name: string): PluginSubscription | undefined => plugins().find((plugin) => plugin.name === name);
  return {
    typesOf: ({ name, types }) => types ?? findPlugin(name)?.types,
    async open({ kind, name }) {
      if (kind === 'webhook') return webhookReceiver(name, options);
      const plugin = findPlugin(name);
      return plugin && pluginReceiver(plugin);
    },
  };
}

async function webhookReceiver(
  name: string,
  { webhooks, sender, source, hasField }: ReceiversOptions,
): Promise<Receiver | undefined> {
  const target = await webhooks.target(name);
  if (target === undefined) return undefined;
  const { subscriptionId, url, secrets, headers } = target;
  return {
    types: target.types,
    concurrency,
    batchSize: 1,
    wants: ({ change }) => isSelected(target, change, hasField),
    async send([first], _attempt, signal) {
      if (first === undefined) return delivered;
      const webhookId = webhookIdOf(subscriptionId, first.position);
      return sender.send({ url, webhookId, body: cloudEventOf(webhookId, source, first), secrets, headers, signal });
    },
  };
}

function pluginReceiver({ name, types, handle }: PluginSubscription): Receiver {
  return {
    types,
    concurrency: 1,
    batchSize,
    wants: () => true,
    async send(changes, _attempt, signal) {
      const timeout = AbortSignal.timeout(handleTimeoutMs);
      const late = (): Error => new Error(`${name} did not finish within ${handleTimeoutMs / 1_000} s.`);
      const batch = changes.map(({ change }) => change);
      await withTimeout(handleTimeoutMs, () => handle(batch, AbortSignal.any([signal, timeout])), late);
      return delivered;
    },
  };
}

const delivered = { isDelivered: true, status: null, error: null, answer: null } as const;
