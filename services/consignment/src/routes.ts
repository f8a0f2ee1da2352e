import {
  consignmentWorkflowId,
  operationWorkflowId,
  operationWorkflowTypes,
  orderIdSchema,
  orderWorkflowId,
  workflowTypes,
  type SignalName,
} from '@gantry/contracts';
import {
  callTemporal,
  GantryError,
  isWorkflowNotFound,
  signalWorkflow,
  signedInName,
  type RouteHandler,
  type Temporal,
} from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { Shipments } from './shipments';

/** POST /consignments/:orderId/dispatched and /confirmed: delivers a signal to the child workflow of an order. */
export function createSignalRoute(
  temporal: Temporal,
  signal: SignalName,
): RouteHandler<{ readonly params: typeof orderIdSchema }> {
  return async ({ params: { orderId }, caller }) => {
    const workflowId = consignmentWorkflowId(orderId);
    const outcome = await signalWorkflow(temporal, workflowId, signal, workflowTypes.startConsignment, {
      requestedBy: signedInName(caller),
    });
    switch (outcome) {
      case 'accepted':
        return { status: 202, data: { orderId, workflowId, signal } };
      case 'ended':
        throw new GantryError(
          'WORKFLOW_CLOSED',
          `The consignment of order ${orderId} has ended and accepts no signal.`,
        );
      case 'unknown':
        throw new GantryError(
          'WORKFLOW_NOT_FOUND',
          `Order ${orderId} has no consignment. A consignment starts shortly after the payment.`,
        );
    }
  };
}

/** Of a report of the carrier. */
export const deliverySchemas = {
  params: orderIdSchema,
  body: z.strictObject({ delivered: z.boolean({ error: 'delivered must be true or false' }) }),
};

/**
 * PUT /consignments/:orderId/delivery: stores what the carrier reported, also before the consignment begins. A report about
 * an order that is no longer delivered has no effect: it is refused.
 */
export function createDeliveryRoute(shipments: Shipments, temporal: Temporal): RouteHandler<typeof deliverySchemas> {
  return async ({ params: { orderId }, body: { delivered } }) => {
    await assertUnderWay(temporal, orderId);
    await shipments.report(orderId, delivered);
    return { data: { orderId, delivered } };
  };
}

/** @throws GantryError ORDER_NOT_FOUND, WORKFLOW_CLOSED */
async function assertUnderWay(temporal: Temporal, orderId: string): Promise<void> {
  const isUnderWay = await callTemporal(temporal, async (client: Client) => {
    const order = await statusOf(client, orderWorkflowId(orderId), workflowTypes.placeOrder);
    if (order === 'RUNNING') return true;
    const redelivery = operationWorkflowId('redelivery', orderId);
    if ((await statusOf(client, redelivery, operationWorkflowTypes.redelivery)) === 'RUNNING') return true;
    return order === undefined ? undefined : false;
  });
  if (isUnderWay === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
  if (!isUnderWay) throw new GantryError('WORKFLOW_CLOSED', `Order ${orderId} has ended and accepts no report.`);
}

/** @returns undefined when there is no such workflow */
async function statusOf(client: Client, workflowId: string, workflowType: string): Promise<string | undefined> {
  try {
    const { type, status } = await client.workflow.getHandle(workflowId).describe();
    return type === workflowType ? status.name : undefined;
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}
