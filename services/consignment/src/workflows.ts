import {
  activityRetries,
  dispatchedMarker,
  queryNames,
  signalNames,
  taskQueues,
  timeLimits,
  type ConsignmentResult,
  type ConsignmentState,
  type ShippingActivities,
  type StartConsignment,
} from '@gantry/contracts';
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  patched,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';

const { checkShipping } = proxyActivities<ShippingActivities>({
  taskQueue: taskQueues.consignment,
  startToCloseTimeout: timeLimits.shippingStartToClose,
  retry: activityRetries.checkShipping,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/**
 * The child workflow that delivers an order (order specification, section 3). Signals are remembered whenever they
 * come: a confirmation that is early ends the wait at once, a second dispatch changes nothing.
 */
export const startConsignment: StartConsignment = async (orderId: string): Promise<ConsignmentResult> => {
  const consignment: Progress = {
    orderId,
    step: 'WAITING_FOR_DISPATCH',
    shipmentDispatched: false,
    customerConfirmed: false,
  };
  setHandler(defineSignal(signalNames.shipmentDispatched), () => {
    consignment.shipmentDispatched = true;
  });
  setHandler(defineSignal(signalNames.customerConfirmed), () => {
    consignment.customerConfirmed = true;
  });
  setHandler(defineQuery<ConsignmentState>(queryNames.consignmentState), () => consignment);

  await condition(() => consignment.shipmentDispatched);
  // The marker is the effect: no code depends on it, so that consignments under way since before it was introduced continue.
  patched(dispatchedMarker);
  consignment.step = 'SLEEPING';
  await sleep(timeLimits.deliverySleep);
  consignment.step = 'CHECKING';
  const delivered = await checkShipping(orderId);
  if (delivered) await waitForConfirmation(consignment);
  consignment.step = 'FINISHED';
  consignment.result = delivered ? 'DELIVERED' : 'UNDELIVERED';
  return consignment.result;
};

/** The answer of the state query, as the workflow moves on. */
type Progress = { -readonly [Key in keyof ConsignmentState]: ConsignmentState[Key] };

/** The parcel has been delivered by now, so that a cancellation comes too late: the result stays DELIVERED. */
async function waitForConfirmation(consignment: Progress): Promise<void> {
  consignment.step = 'WAITING_FOR_CONFIRMATION';
  await CancellationScope.nonCancellable(() =>
    condition(() => consignment.customerConfirmed, timeLimits.confirmationWait),
  );
}
