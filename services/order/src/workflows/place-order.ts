import {
  activityRetries,
  queryNames,
  signalNames,
  timeLimits,
  type OrderActivities,
  type OrderState,
  type OrderStatus,
  type OrderStep,
  type PlaceOrder,
  type PlaceOrderRequest,
  type PlaceOrderResult,
} from '@gantry/contracts';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { endReason, failureOf } from './end-reasons';
import {
  deliver,
  refundPayment,
  sendOrderCancelledNotification,
  sendOrderPlacedNotification,
  sendPaymentCompletedNotification,
} from './fulfilment';

const { recordOrder } = proxyLocalActivities<OrderActivities>({
  scheduleToCloseTimeout: timeLimits.recordScheduleToClose,
  retry: activityRetries.recordOrder,
});

/** Changes of this workflow; orders that started before one of them continue with the old code. */
const patches = {
  /** The steps are stored in the row of the order. */
  storedSteps: 'stored-steps',
  /** A cancellation is recognised by the scope and no longer by the type of the error. */
  cancellationByScope: 'cancellation-by-scope',
  /** A run that a reset began does not refund what was refunded elsewhere. */
  refundedElsewhere: 'refunded-elsewhere',
} as const;

/**
 * The parent workflow of an order (order specification, section 3).
 *
 * A payment that Temporal has accepted always counts. The customer has at least the minute; when the signal lands after
 * the timer fired but before this code ran again, or while the order is about to close (the server then gives the
 * decision back), the order is paid. So the answer of POST /payment is never wrong: 202 means paid, 409 means too late.
 *
 * Cancelling an order that is paid and not delivered refunds it, because it is no longer delivered; it then ends as
 * cancelled. An order that fails after its payment, without delivery and refund, needs a decision.
 */
export const placeOrder: PlaceOrder = async ({ orderId }: PlaceOrderRequest): Promise<PlaceOrderResult> => {
  const state: Progress = { orderId, step: 'START', paymentReceived: false };
  setHandler(defineSignal(signalNames.paymentReceived), () => {
    state.paymentReceived = true;
  });
  setHandler(defineQuery<OrderState>(queryNames.orderState), () => state);
  const order: RunningOrder = { state, isStored: patched(patches.storedSteps), isRefunded: false };
  try {
    return { orderId, outcome: await fulfil(order) };
  } catch (error) {
    throw await endUnfulfilled(order, error);
  }
};

/** The answer of the state query, as the workflow moves on. */
type Progress = { -readonly [Key in keyof OrderState]: OrderState[Key] };

interface RunningOrder {
  readonly state: Progress;
  /** False for orders that began before steps were stored. */
  readonly isStored: boolean;
  isRefunded: boolean;
}

async function fulfil(order: RunningOrder): Promise<PlaceOrderResult['outcome']> {
  const { state } = order;
  const isPaid = (): boolean => state.paymentReceived;
  await sendOrderPlacedNotification(state.orderId);
  await enter(order, 'ORDER_PLACED');
  await condition(isPaid, timeLimits.paymentWait);
  // Asked again on purpose: the signal may have come together with the timer, or while the row was written.
  if (!isPaid()) {
    await store(order, 'NOT_PAID', 'NOT_PAID');
    state.step = 'NOT_PAID';
    if (!isPaid()) return 'NOT_PAID';
  }
  await enter(order, 'PAID');
  await sendPaymentCompletedNotification(state.orderId);
  // After a reset, the money may be back already.
  if ((await enter(order, 'WAITING_FOR_CHILD')) === 'REFUNDED') return complete(order, 'REFUNDED');
  state.consignment = await deliver(state.orderId);
  if (state.consignment === 'DELIVERED') return complete(order, 'DELIVERED');
  await compensate(order);
  return complete(order, 'REFUNDED');
}

async function complete<O extends PlaceOrderResult['outcome']>(order: RunningOrder, outcome: O): Promise<O> {
  await store(order, 'COMPLETED', outcome);
  order.state.step = 'COMPLETED';
  return outcome;
}

/** Refunds the payment and notifies the customer, in that order, whatever else is requested of the workflow in the meantime. */
async function compensate(order: RunningOrder): Promise<void> {
  // After a reset, the money may be back already.
  const isRefunded = (await enter(order, 'COMPENSATING')) === 'REFUNDED' && patched(patches.refundedElsewhere);
  await CancellationScope.nonCancellable(async () => {
    if (!isRefunded) await refundPayment(order.state.orderId);
    order.isRefunded = true;
    await sendOrderCancelledNotification(order.state.orderId);
  });
}

/**
 * Ends an order that something has kept from its way. A cancellation counts however it shows: an attempt that fails or
 * times out after the request is not retried, and arrives as the failure of an activity or of the child.
 * @returns what the workflow is to end with
 */
async function endUnfulfilled(order: RunningOrder, error: unknown): Promise<unknown> {
  const { state } = order;
  if (!patched(patches.cancellationByScope)) {
    if (isCancellation(error) && state.paymentReceived) await compensate(order);
    return error;
  }
  const isCancelled = CancellationScope.current().consideredCancelled;
  if (!isCancelled || state.step === 'COMPENSATING') return fail(order, error);
  if (!state.paymentReceived) await store(order, state.step, 'CANCELED', endReason('order', 'CANCELED'));
  // Asked again on purpose: a payment that was accepted while the row was written counts.
  if (state.paymentReceived) {
    try {
      await compensate(order);
    } catch (failure) {
      return fail(order, failure);
    }
    await store(order, 'COMPLETED', 'REFUNDED', endReason('order', 'CANCELED'));
    state.step = 'COMPLETED';
  }
  return isCancellation(error) ? error : new CancelledFailure(endReason('order', 'CANCELED'));
}

async function fail(order: RunningOrder, error: unknown): Promise<unknown> {
  const { step } = order.state;
  const status = statusOfFailed(order);
  const reason = endReason('order', 'FAILED', failureOf(error));
  await store(order, step, status, reason);
  // A payment that was accepted while the row was written counts.
  if (statusOfFailed(order) !== status) await store(order, step, statusOfFailed(order), reason);
  return error;
}

function statusOfFailed({ state, isRefunded }: RunningOrder): OrderStatus {
  if (!state.paymentReceived) return 'FAILED';
  return isRefunded ? 'REFUNDED' : 'NEEDS_DECISION';
}

/**
 * @returns the status in the row, as far as it is known
 * @throws ApplicationFailure after a reset, when a person has decided about the order before this run came here
 */
async function enter(order: RunningOrder, step: OrderStep): Promise<OrderStatus | undefined> {
  const status = await store(order, step, 'OPEN');
  order.state.step = step;
  if (status === 'REFUNDING' || status === 'REDELIVERING' || status === 'DELIVERED') {
    throw ApplicationFailure.nonRetryable(`A person decided on the order ${order.state.orderId}: it is ${status}.`);
  }
  return status;
}

/** An order does not wait for its row: what cannot be stored now is stored by the reconciler. */
async function store(
  order: RunningOrder,
  step: OrderStep,
  status: OrderStatus,
  reason?: string,
): Promise<OrderStatus | undefined> {
  if (!order.isStored) return undefined;
  const { orderId } = order.state;
  const { firstExecutionRunId: runId } = workflowInfo();
  const progress = { orderId, runId, step, status, since: new Date().toISOString() };
  try {
    return await CancellationScope.nonCancellable(() =>
      recordOrder(reason === undefined ? progress : { ...progress, reason }),
    );
  } catch {
    return undefined;
  }
}
