import { Gauge, type Registry } from '@gantry/core-http';
import { withTimeout } from '@gantry/core-common';
import type { PluginSubscriptions } from './plugin-subscriptions';
import type { Webhooks } from '../sending/webhooks';
import type { SubscriptionStatus } from '../sending/webhook-schemas';

interface MeasuredSubscriptions {
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly subscriptions: Pick<PluginSubscriptions, 'list'>;
}

interface Measured {
  readonly kind: 'webhook' | 'plugin';
  readonly id: string;
  readonly status: SubscriptionStatus;
}

/** Milliseconds that other metrics wait for a database that does not answer. */
const timeoutMs = 1_000;

/** How far each webhook and each subscription of a plugin is: what waits, what was given up, and whether it fails. */
export function addSubscriptionMetrics(registry: Registry, measured: MeasuredSubscriptions): void {
  let reading: Promise<readonly Measured[]> | undefined;
  /** Both metrics are asked at the same time. */
  const readOnce = (): Promise<readonly Measured[]> =>
    (reading ??= read(measured).finally(() => (reading = undefined)));
  const labelNames = ['kind', 'id'] as const;
  const failing = new Gauge({
    name: 'gantry_subscription_failing',
    help: '1 while every attempt of the subscription fails, or after the retention removed changes before they were delivered.',
    labelNames,
    registers: [registry],
    async collect() {
      const found = await readOnce();
      // Of a subscription that is gone, or that is not known now, there is no value.
      failing.reset();
      for (const { kind, id, status } of found) {
        failing.set({ kind, id }, status.failingSince === null && status.gapSince === null ? 0 : 1);
      }
    },
  });
  const changes = new Gauge({
    name: 'gantry_subscription_changes',
    help: 'Changes of the subscription: backlog (at most 1000), waiting for another attempt, undelivered.',
    labelNames: [...labelNames, 'state'],
    registers: [registry],
    async collect() {
      const found = await readOnce();
      changes.reset();
      for (const { kind, id, status } of found) {
        const { backlog, waiting, undelivered } = status;
        for (const [state, count] of Object.entries({ backlog, waiting, undelivered })) {
          changes.set({ kind, id, state }, count);
        }
      }
    },
  });
}

/** @returns nothing while the database does not answer */
async function read({ webhooks, subscriptions }: MeasuredSubscriptions): Promise<readonly Measured[]> {
  const late = (): Error => new Error('PostgreSQL does not answer in time.');
  try {
    const [ofWebhooks, ofPlugins] = await withTimeout(
      timeoutMs,
      () => Promise.all([webhooks.list(), subscriptions.list()]),
      late,
    );
    return [
      ...ofWebhooks.map((status) => ({ kind: 'webhook', id: status.id, status }) as const),
      ...ofPlugins.map((status) => ({ kind: 'plugin', id: status.id, status }) as const),
    ];
  } catch {
    return [];
  }
}
