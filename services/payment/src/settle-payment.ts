import { orderWorkflowId, signalNames, workflowTypes } from '@gantry/contracts';
import { callTemporal, signalWorkflow, type SignalOutcome, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import type { Payments } from './payments';

/**
 * Hands a stored payment to its order. The row comes first and is confirmed after the signal, so that no crash in
 * between loses a payment or leaves one without a row: a later request or the settlement loop settles an unconfirmed row again.
 * @param requestedBy who reported the payment, for the history of the order
 * @throws GantryError UNAVAILABLE; the row then waits for the next attempt
 */
export async function settlePayment(
  payments: Payments,
  temporal: Temporal,
  orderId: string,
  requestedBy?: string,
): Promise<SignalOutcome> {
  const outcome = await signalWorkflow(
    temporal,
    orderWorkflowId(orderId),
    signalNames.paymentReceived,
    workflowTypes.placeOrder,
    { requestedBy },
  );
  switch (outcome) {
    case 'accepted':
      await payments.accept(orderId);
      break;
    case 'ended':
      await ((await wasPaid(temporal, orderId)) ? payments.accept(orderId) : payments.refuse(orderId));
      break;
    case 'unknown':
      await payments.discard(orderId);
  }
  return outcome;
}

/** The history of an order that has ended shows whether an earlier attempt had reached it. */
function wasPaid(temporal: Temporal, orderId: string): Promise<boolean> {
  return callTemporal(temporal, async (client: Client) => {
    const { events } = await client.workflow.getHandle(orderWorkflowId(orderId)).fetchHistory();
    return (events ?? []).some(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signalNames.paymentReceived,
    );
  });
}
