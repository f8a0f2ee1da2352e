import type { ChangeAction } from './changes';

/** The task queue of the delivery of changes, which is part of the platform and no service of a plugin. @internal */
export const subscriptionsTaskQueue = 'gantry-subscriptions';

/** The workflow that delivers the changes of one subscription for as long as it is active. @internal */
export const deliverWorkflow = 'deliverSubscription';

/** The signal by which it learns that there is something to deliver. @internal */
export const wakeSignal = 'wake';

/** The argument of the workflow. @internal */
export interface DeliverInput {
  readonly subscriptionId: string;
}

/** How a run of the activity `deliver` ended. @internal */
export type DeliverOutcome =
  /** The subscription is paused or does not exist any more. */
  | { readonly next: 'end' }
  | { readonly next: 'again' }
  /** The state without changes to deliver; `retryInMs` is set where something waits for its next attempt. */
  | { readonly next: 'wait'; readonly retryInMs?: number };

/** @internal */
export interface SubscriptionActivities {
  deliver(input: DeliverInput): Promise<DeliverOutcome>;
}

/** Actions of changes that are delivered. @public */
export type DeliveredAction = Exclude<ChangeAction, 'left'>;
