import {
  activityRetries,
  consignmentWorkflowId,
  queryNames,
  signalNames,
  taskQueues,
  timeLimits,
  workflowTypes,
  type ConsignmentResult,
  type EmailActivities,
  type OrderState,
  type PaymentActivities,
  type PlaceOrder,
  type PlaceOrderRequest,
  type PlaceOrderResult,
  type StartConsignment,
} from '@gantry/contracts';
import {
  ActivityCancellationType,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  condition,
  defineQuery,
  defineSignal,
  executeChild,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';

const email = {
  taskQueue: taskQueues.email,
  startToCloseTimeout: timeLimits.emailStartToClose,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;
const payment = {
  taskQueue: taskQueues.payment,
  startToCloseTimeout: timeLimits.paymentStartToClose,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
} as const;

const { sendOrderPlacedNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendOrderPlacedNotification,
});
const { sendPaymentCompletedNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendPaymentCompletedNotification,
});
const { sendOrderCancelledNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendOrderCancelledNotification,
});
const { refundPayment } = proxyActivities<PaymentActivities>({ ...payment, retry: activityRetries.refundPayment });

/**
 * The parent workflow of an order (order specification, section 3).
 *
 * A payment that Temporal has accepted always counts. The customer has at least the minute; when the signal lands after
 * the timer fired but before this code ran again, or while the order is about to close (the server then gives the
 * decision back), the order is paid. So the answer of POST /payment is never wrong: 202 means paid, 409 means too late.
 *
 * Cancelling an order that is paid pays back, because nobody delivers it any more; it then ends as cancelled.
 */
export const placeOrder: PlaceOrder = async ({ orderId }: PlaceOrderRequest): Promise<PlaceOrderResult> => {
  const order: Progress = { orderId, step: 'START', paymentReceived: false };
  setHandler(defineSignal(signalNames.paymentReceived), () => {
    order.paymentReceived = true;
  });
  setHandler(defineQuery<OrderState>(queryNames.orderState), () => order);
  try {
    return { orderId, outcome: await fulfil(order) };
  } catch (error) {
    if (isCancellation(error) && order.paymentReceived) await compensate(order);
    throw error;
  }
};

/** What the state query answers, as the workflow moves on. */
type Progress = { -readonly [Key in keyof OrderState]: OrderState[Key] };

async function fulfil(order: Progress): Promise<PlaceOrderResult['outcome']> {
  await sendOrderPlacedNotification(order.orderId);
  order.step = 'ORDER_PLACED';
  await condition(() => order.paymentReceived, timeLimits.paymentWait);
  // Asked again on purpose: the signal may have come together with the timer.
  if (!order.paymentReceived) {
    order.step = 'NOT_PAID';
    return 'NOT_PAID';
  }
  order.step = 'PAID';
  await sendPaymentCompletedNotification(order.orderId);
  order.step = 'WAITING_FOR_CHILD';
  order.consignment = await deliver(order.orderId);
  if (order.consignment === 'UNDELIVERED') await compensate(order);
  order.step = 'COMPLETED';
  return order.consignment === 'DELIVERED' ? 'DELIVERED' : 'REFUNDED';
}

/**
 * Runs the child workflow. One that fails or times out fails the order: what became of the parcel is for a person to
 * find out. One that an operator cancelled, while the order itself goes on, has delivered nothing.
 */
async function deliver(orderId: string): Promise<ConsignmentResult> {
  try {
    return await executeChild<StartConsignment>(workflowTypes.startConsignment, {
      args: [orderId],
      workflowId: consignmentWorkflowId(orderId),
      taskQueue: taskQueues.consignment,
      workflowRunTimeout: timeLimits.consignmentRunTimeout,
      // A reset to a point before the child repeats the delivery on purpose, under the same id.
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    });
  } catch (error) {
    if (isCancellation(error) && !CancellationScope.current().consideredCancelled) return 'UNDELIVERED';
    throw error;
  }
}

/** Pays back and tells the customer, in that order, whatever else is asked of the workflow meanwhile. */
async function compensate(order: Progress): Promise<void> {
  order.step = 'COMPENSATING';
  await CancellationScope.nonCancellable(async () => {
    await refundPayment(order.orderId);
    await sendOrderCancelledNotification(order.orderId);
  });
}
