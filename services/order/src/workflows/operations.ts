import {
  activityRetries,
  operationStatuses,
  taskQueues,
  timeLimits,
  type OperateOnOrder,
  type OperationEnd,
  type OperationRequest,
  type OperationResult,
  type OrderActivities,
  type OrderOperation,
} from '@gantry/contracts';
import { ApplicationFailure, CancellationScope, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { endReason, failureOf } from './end-reasons';
import { checkRefund, deliver, refundPayment, sendOrderCancelledNotification } from './fulfilment';

const own = { taskQueue: taskQueues.order, startToCloseTimeout: timeLimits.orderStartToClose } as const;
const { beginOperation } = proxyActivities<OrderActivities>({ ...own, retry: activityRetries.beginOperation });
const { finishOperation } = proxyActivities<OrderActivities>({ ...own, retry: activityRetries.finishOperation });

/** Pays an order back that needs a decision. A request to cancel it changes nothing. */
export const refundOrder: OperateOnOrder = (request) =>
  operate('refund', request, async (progress) => {
    await payBack(request.orderId, progress);
    return 'REFUNDED';
  });

/** Delivers an order again that needs a decision, and pays it back when that does not succeed, or is cancelled. */
export const redeliverOrder: OperateOnOrder = (request) =>
  operate('redelivery', request, async (progress) => {
    const { orderId } = request;
    // The refund of an order that was terminated may have been made without its history knowing.
    if (await CancellationScope.nonCancellable(() => checkRefund(orderId))) return 'REFUNDED';
    if ((await deliverUnlessCancelled(orderId)) === 'DELIVERED') return 'DELIVERED';
    await payBack(orderId, progress);
    return 'REFUNDED';
  });

interface OperationProgress {
  isRefunded: boolean;
}

async function operate(
  operation: OrderOperation,
  request: OperationRequest,
  work: (progress: OperationProgress) => Promise<OperationResult['outcome']>,
): Promise<OperationResult> {
  const { orderId, namespaceId } = request;
  const { runId } = workflowInfo();
  const status = operationStatuses[operation];
  const isMine = await CancellationScope.nonCancellable(() => beginOperation({ ...request, runId, status }));
  if (!isMine) throw ApplicationFailure.nonRetryable(`The order ${orderId} is no longer ${status} by this request.`);
  const progress: OperationProgress = { isRefunded: false };
  const end = { orderId, namespaceId, runId };
  const outcome = await work(progress).catch(async (error: unknown) => {
    // When the refund was made and only the notice has failed, there is nothing left to decide.
    const failed = progress.isRefunded ? 'REFUNDED' : 'NEEDS_DECISION';
    const reason = endReason(operation, 'FAILED', failureOf(error));
    await finish(reason === undefined ? { ...end, status: failed } : { ...end, status: failed, reason });
    throw error;
  });
  await finish({ ...end, status: outcome });
  return { orderId, outcome };
}

function finish(end: Omit<OperationEnd, 'since'>): Promise<void> {
  return CancellationScope.nonCancellable(() => finishOperation({ ...end, since: new Date().toISOString() }));
}

async function deliverUnlessCancelled(orderId: string) {
  try {
    return await deliver(orderId);
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) return 'UNDELIVERED';
    throw error;
  }
}

function payBack(orderId: string, progress: OperationProgress): Promise<void> {
  return CancellationScope.nonCancellable(async () => {
    await refundPayment(orderId);
    progress.isRefunded = true;
    await sendOrderCancelledNotification(orderId);
  });
}
