import type {
  EmailActivities,
  OrderActivities,
  OrderProgress,
  PaymentActivities,
  ShippingActivities,
} from '@gantry/contracts';
import { ApplicationFailure } from '@temporalio/common';

type Activity = keyof EmailActivities | keyof PaymentActivities | keyof ShippingActivities;

/** Script of the activities of one test. */
export interface Script {
  /** How often an activity fails before it succeeds. */
  readonly failures?: Readonly<Partial<Record<Activity, number>>>;
  /** Milliseconds until the next attempt, instead of those of the retry policy. */
  readonly retryDelay?: number;
  /** An activity that fails for good. */
  readonly fatal?: Activity;
  /** Result of checkShipping; true unless given. */
  readonly delivered?: boolean;
  /** Called in an attempt before it ends. */
  readonly during?: Readonly<Partial<Record<Activity, () => Promise<unknown>>>>;
}

/** Activities that follow the script of an order and remember every attempt; the real ones have separate tests. */
export interface ScriptedActivities {
  readonly email: EmailActivities;
  readonly payment: PaymentActivities;
  readonly order: OrderActivities;
  readonly shipping: ShippingActivities;
  script(orderId: string, script: Script): void;
  /** From now on, these store how far orders are, or those of them that are chosen; until then, nothing is stored. */
  storeWith(order: OrderActivities, isChosen?: (orderId: string) => boolean): void;
  /** Steps and statuses that the workflow of an order has stored, in order. */
  stored(orderId: string): readonly string[];
  /** Every attempt of an order, in order. */
  attempts(orderId: string): readonly Activity[];
}

export function createScriptedActivities(): ScriptedActivities {
  const scripts = new Map<string, Script>();
  const attempts = new Map<string, Activity[]>();
  const stored = new Map<string, OrderProgress[]>();
  let store: OrderActivities | undefined;
  let isStored: (orderId: string) => boolean;
  const storing = (): OrderActivities => {
    if (store === undefined) throw new Error('Nothing stores operations in this test.');
    return store;
  };

  async function attempt(orderId: string, activity: Activity): Promise<void> {
    const made = attempts.get(orderId) ?? [];
    attempts.set(orderId, [...made, activity]);
    const { during, failures, fatal, retryDelay } = scripts.get(orderId) ?? {};
    await during?.[activity]?.();
    if (fatal === activity) throw ApplicationFailure.nonRetryable(`${activity} fails for good`);
    if (made.filter((name) => name === activity).length < (failures?.[activity] ?? 0)) {
      throw ApplicationFailure.create({
        message: `${activity} fails on purpose`,
        type: 'OnPurpose',
        ...(retryDelay === undefined ? {} : { nextRetryDelay: retryDelay }),
      });
    }
  }

  return {
    email: {
      sendOrderPlacedNotification: (orderId) => attempt(orderId, 'sendOrderPlacedNotification'),
      sendPaymentCompletedNotification: (orderId) => attempt(orderId, 'sendPaymentCompletedNotification'),
      sendOrderCancelledNotification: (orderId) => attempt(orderId, 'sendOrderCancelledNotification'),
    },
    payment: {
      checkPayment: async (orderId) => {
        await attempt(orderId, 'checkPayment');
        return true;
      },
      checkRefund: async (orderId) => {
        await attempt(orderId, 'checkRefund');
        return false;
      },
      refundPayment: (orderId) => attempt(orderId, 'refundPayment'),
    },
    order: {
      async recordOrder(progress) {
        stored.set(progress.orderId, [...(stored.get(progress.orderId) ?? []), progress]);
        return store === undefined || !isStored(progress.orderId) ? progress.status : store.recordOrder(progress);
      },
      beginOperation: (request) => storing().beginOperation(request),
      finishOperation: (end) => storing().finishOperation(end),
      findSettlement: async (orderId) => (isStored(orderId) ? storing().findSettlement(orderId) : null),
    },
    shipping: {
      checkShipping: async (orderId) => {
        await attempt(orderId, 'checkShipping');
        return scripts.get(orderId)?.delivered ?? true;
      },
    },
    script: (orderId, script) => scripts.set(orderId, script),
    storeWith(order, isChosen = () => true) {
      store = order;
      isStored = isChosen;
    },
    stored: (orderId) => (stored.get(orderId) ?? []).map(({ step, status }) => `${step} ${status}`),
    attempts: (orderId) => attempts.get(orderId) ?? [],
  };
}
