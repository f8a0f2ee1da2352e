import {
  activityRetries,
  consignmentWorkflowId,
  taskQueues,
  timeLimits,
  workflowTypes,
  type ConsignmentResult,
  type EmailActivities,
  type PaymentActivities,
  type StartConsignment,
} from '@gantry/contracts';
import {
  ActivityCancellationType,
  CancellationScope,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  executeChild,
  isCancellation,
  proxyActivities,
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

export const { sendOrderPlacedNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendOrderPlacedNotification,
});
export const { sendPaymentCompletedNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendPaymentCompletedNotification,
});
export const { sendOrderCancelledNotification } = proxyActivities<EmailActivities>({
  ...email,
  retry: activityRetries.sendOrderCancelledNotification,
});
export const { refundPayment } = proxyActivities<PaymentActivities>({
  ...payment,
  retry: activityRetries.refundPayment,
});
export const { checkRefund } = proxyActivities<PaymentActivities>({ ...payment, retry: activityRetries.checkRefund });

/**
 * Runs the child workflow. One that fails or times out is an error: what became of the parcel is for a person to find
 * out. One that an operator cancelled, while this workflow itself continues, has delivered nothing.
 */
export async function deliver(orderId: string): Promise<ConsignmentResult> {
  try {
    return await executeChild<StartConsignment>(workflowTypes.startConsignment, {
      args: [orderId],
      workflowId: consignmentWorkflowId(orderId),
      taskQueue: taskQueues.consignment,
      workflowRunTimeout: timeLimits.consignmentRunTimeout,
      // A redelivery, or a reset to a point before the child, repeats the delivery on purpose, under the same id.
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    });
  } catch (error) {
    if (isCancellation(error) && !CancellationScope.current().consideredCancelled) return 'UNDELIVERED';
    throw error;
  }
}
