import { consignmentWorkflowId, dispatchedMarker, signalNames } from '@gantry/contracts';
import { callTemporal, isWorkflowNotFound, type PluginContext } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { forEachOrder } from './tracking/for-each-order';
import { listRuns } from './tracking/list-runs';
import { dateOf } from './tracking/order-history';
import { isWaitingForDispatch, type OrderRows } from './order-rows';

/**
 * Stores which parcels have left. The workflow of an order has no step for it and gets no signal; Temporal lists the consignments
 * that recorded it, and the history of each is read once, for the time.
 * @throws GantryError UNAVAILABLE
 */
export async function storeDispatches(context: PluginContext, rows: OrderRows, namespaceId: string): Promise<void> {
  const { temporal } = context;
  const inTransit = `ExecutionStatus = 'Running' AND TemporalChangeVersion = '${dispatchedMarker}'`;
  for await (const page of listRuns(temporal, 'startConsignment', inTransit)) {
    const orderIds = page.map(({ orderId }) => orderId);
    const late = (await rows.findMany(namespaceId, orderIds)).filter(isWaitingForDispatch);
    await forEachOrder(context, late, async ({ orderId }) => {
      const dispatchedAt = await callTemporal(temporal, (client: Client) => readDispatch(client, orderId));
      if (dispatchedAt !== undefined) await rows.dispatch({ orderId, namespaceId }, dispatchedAt);
    });
  }
}

/** When the parcel of the newest consignment left; undefined when that has not happened yet, or the consignment is gone. */
async function readDispatch(client: Client, orderId: string): Promise<Date | undefined> {
  try {
    const { events } = await client.workflow.getHandle(consignmentWorkflowId(orderId)).fetchHistory();
    const dispatched = (events ?? []).find(
      (event) => event.workflowExecutionSignaledEventAttributes?.signalName === signalNames.shipmentDispatched,
    );
    return dispatched === undefined ? undefined : dateOf(dispatched.eventTime);
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}
