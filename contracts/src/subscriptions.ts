import type { ChangeAction } from './changes';

/** The task queue of the delivery of changes, which is part of the platform and no service of a plugin. @internal */
export const subscriptionsTaskQueue = 'gantry-subscriptions';

/** The workflow that delivers the changes of one subscription for as long as it is active. @internal */
export const deliverWorkflow = 'deliverSubscription';

/** The signal by which it learns that there is something to deliver. @internal */
export const wakeSignal = 'wake';

/** What the workflow is started with. @internal */
export interface DeliverInput {
  readonly subscriptionId: string;
}

/** How a run of the activity `deliver` ended. @internal */
export type DeliverOutcome =
  /** The subscription is paused or does not exist any more. */
  | { readonly next: 'end' }
  | { readonly next: 'again' }
  /** Nothing is left to deliver now; `retryInMs` is set where something waits for its next attempt. */
  | { readonly next: 'wait'; readonly retryInMs?: number };

/** @internal */
export interface SubscriptionActivities {
  deliver(input: DeliverInput): Promise<DeliverOutcome>;
}

/** Actions of changes that are delivered. @public */
export type DeliveredAction = Exclude<ChangeAction, 'left'>;

/** Whether a subscription delivers. @public */
export type SubscriptionState = 'active' | 'paused';

/** Where a subscription is. Times are ISO 8601. @public */
export interface SubscriptionStatus {
  readonly state: SubscriptionState;
  /** All changes up to this position are delivered, wait for another attempt, or are undelivered. */
  readonly position: string;
  /** Changes that wait for another attempt, or for one before them of the same item. */
  readonly waiting: number;
  /** Changes that were given up. */
  readonly undelivered: number;
  /** Since when no attempt has succeeded; null while attempts succeed. */
  readonly failingSince: string | null;
  /** Why the last attempt that failed did so. */
  readonly lastError: string | null;
  readonly lastDeliveredAt: string | null;
  /** Set when changes were removed from the feed before they were delivered: the time of the oldest change that was left. */
  readonly gapSince: string | null;
  /** Changes of its types behind its position that are not on their way yet; 1,000 for more. */
  readonly backlog: number;
  /** When the oldest of them was made. */
  readonly backlogSince: string | null;
  /** Null before the first one. */
  readonly lastAttempt: Pick<DeliveryAttempt, 'at' | 'delivered' | 'status' | 'error'> | null;
}

/** A subscription of a plugin. @public */
export interface PluginSubscriptionStatus extends SubscriptionStatus {
  /** `<plugin>/<name>`. */
  readonly id: string;
  readonly plugin: string;
  /** As the plugin declares it. */
  readonly name: string;
  /** Type codes, empty for all; null while the plugin is not in use, or does not declare the subscription any more. */
  readonly types: readonly string[] | null;
  readonly createdAt: string;
}

/** A condition on a field of a change: its value after the change, or before it. @public */
export interface WebhookCondition {
  readonly field: string;
  readonly operator: 'EQUALS' | 'NOT_EQUALS';
  /** The value as text; empty for none. */
  readonly value: string;
}

/** A webhook, without its secrets. @public */
export interface Webhook extends SubscriptionStatus {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Type codes; empty for all. */
  readonly types: readonly string[];
  /** Empty for all. */
  readonly actions: readonly DeliveredAction[];
  /** All of them must hold. */
  readonly filter: readonly WebhookCondition[];
  /** Names of the header fields that each request has in addition. */
  readonly headers: readonly string[];
  /** Who created it, such as `user:12`; null for one of an earlier version. */
  readonly createdBy: string | null;
  /** Display name of that user, as long as the user exists. */
  readonly createdByName?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Of `types`, those whose plugin is not in use: their changes wait for it. */
  readonly typesNotInUse: readonly string[];
  /** Of `filter`, the fields that one of `types` does not have (any more), or no type where `types` is empty: its changes are not delivered. */
  readonly fieldsNotInUse: readonly string[];
  /** Until when requests are also signed with the secret before; null unless the secret was changed within a day. */
  readonly earlierSecretUntil: string | null;
}

/** An attempt to deliver a change. @public */
export interface DeliveryAttempt {
  readonly id: string;
  readonly at: string;
  /** Type and id of the item: `product/5`. */
  readonly subject: string;
  readonly position: string;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly delivered: boolean;
  /** Status of the answer; null without one. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why it failed. */
  readonly error: string | null;
  /** The first part of the body of the answer. */
  readonly answer: string | null;
}

/** An attempt to deliver a change to a webhook. @public */
export interface WebhookDelivery extends DeliveryAttempt {
  /** Value of the header `webhook-id`, the same for all attempts. */
  readonly webhookId: string;
}

/** A change that was given up. @public */
export interface GivenUpChange {
  readonly id: string;
  readonly subject: string;
  readonly position: string;
  readonly attempts: number;
  /** When it could first not be delivered. */
  readonly since: string;
  readonly givenUpAt: string;
  readonly error: string;
}

/** A change that a webhook did not get. @public */
export interface UndeliveredChange extends GivenUpChange {
  readonly webhookId: string;
}

/** What a webhook is sent for a change. @public */
export interface WebhookRequestView {
  readonly url: string;
  /** Header fields by name; null for values that are secret or differ with each attempt. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** A CloudEvent. */
  readonly body: unknown;
}

/** The answer to a test delivery. @public */
export type WebhookTest = Pick<
  WebhookDelivery,
  'webhookId' | 'delivered' | 'status' | 'durationMs' | 'error' | 'answer'
>;
