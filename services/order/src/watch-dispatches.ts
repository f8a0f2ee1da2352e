import { setTimeout } from 'node:timers/promises';
import { consignmentWorkflowId, signalNames } from '@gantry/contracts';
import { callTemporal, isGantryError, isWorkflowNotFound, type PluginContext } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { readNamespaceId } from './namespace-id';
import { dateOf } from './order-history';
import { createOrderRows, type OrderRows, type StoredOrder } from './order-rows';

const intervalMs = 3_000;
/** Consignments that are read in a round. With more that wait, each is read every few rounds. */
const maxReads = 60;
/** Read at a time, so that orders under way have the rest of Temporal. */
const lanes = 4;

/**
 * Stores of orders that wait for their consignment that the parcel has left, until the host stops. The workflow of an order
 * has no step for it and gets no signal, so that the history of its consignment is read: a few events, as long as it waits.
 */
export async function watchDispatches(context: PluginContext): Promise<void> {
  const { logger, signal } = context;
  const rows = createOrderRows(context);
  let after: string | undefined;
  while (!signal.aborted) {
    try {
      after = await storeDispatches(context, rows, after);
    } catch (error) {
      // The next round reads the same.
      const isUnavailable = isGantryError(error) && error.code === 'UNAVAILABLE';
      logger[isUnavailable ? 'debug' : 'warn']({ err: error }, 'dispatches could not be read yet');
    }
    await setTimeout(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * @param after the last order of the round before
 * @returns the last order of this round; undefined when the next one begins with the first order again
 */
async function storeDispatches(
  { temporal, signal }: PluginContext,
  rows: OrderRows,
  after: string | undefined,
): Promise<string | undefined> {
  const namespaceId = await callTemporal(temporal, readNamespaceId);
  const waiting = await rows.waitingForDispatch(namespaceId, after, maxReads);
  const left = [...waiting].toReversed();
  const lane = async (): Promise<void> => {
    for (let order = left.pop(); order !== undefined && !signal.aborted; order = left.pop()) {
      await storeDispatch(temporal, rows, order);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return waiting.length < maxReads ? undefined : waiting.at(-1)?.orderId;
}

async function storeDispatch(
  temporal: PluginContext['temporal'],
  rows: OrderRows,
  { orderId, namespaceId }: StoredOrder,
): Promise<void> {
  const dispatchedAt = await callTemporal(temporal, (client: Client) => readDispatch(client, orderId));
  if (dispatchedAt !== undefined) await rows.dispatch({ orderId, namespaceId }, dispatchedAt);
}

/** When the parcel of the newest consignment left; undefined as long as it waits. */
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
