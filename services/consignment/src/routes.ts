import {
  consignmentWorkflowId,
  operationWorkflowId,
  operationWorkflowTypes,
  orderIdSchema,
  orderWorkflowId,
  signalNames,
  workflowTypes,
} from '@gantry/contracts';
import {
  callTemporal,
  GantryError,
  isWorkflowNotFound,
  route,
  signalWorkflow,
  signedInName,
  type Route,
  type Temporal,
} from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { Shipments } from './shipments';

const changing = {
  access: { permission: 'consignment.change' },
  errors: ['VALIDATION_FAILED', 'ORDER_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'WORKFLOW_CLOSED', 'UNAVAILABLE'],
} as const;

const signals = {
  dispatched: {
    signal: signalNames.shipmentDispatched,
    operationId: 'reportDispatch',
    summary: 'Notify the consignment of an order that the parcel left the warehouse',
    description:
      'The consignment continues when it waits for this. 404 `WORKFLOW_NOT_FOUND` before it begins, shortly after the ' +
      'payment; 409 after it has ended.',
  },
  confirmed: {
    signal: signalNames.customerConfirmed,
    operationId: 'reportReceipt',
    summary: 'Notify the consignment of an order that the customer received the parcel',
    description:
      'The consignment continues when it waits for this. 404 `WORKFLOW_NOT_FOUND` before it begins, shortly after the ' +
      'payment; 409 after it has ended.',
  },
} as const;

/** Delivers a signal to the child workflow of an order. */
export function signalRoute(temporal: Temporal, report: keyof typeof signals): Route {
  const { signal, ...texts } = signals[report];
  return route({
    ...changing,
    method: 'POST',
    path: `/consignments/:orderId/${report}`,
    ...texts,
    params: orderIdSchema,
    status: 202,
    answer: z
      .object({ orderId: z.string(), workflowId: z.string(), signal: z.string() })
      .meta({ id: 'DeliveredSignal', description: 'The signal that was delivered.' }),
    async handler({ params: { orderId }, caller }) {
      const workflowId = consignmentWorkflowId(orderId);
      const outcome = await signalWorkflow(temporal, workflowId, signal, workflowTypes.startConsignment, {
        requestedBy: signedInName(caller),
      });
      switch (outcome) {
        case 'accepted':
          return { data: { orderId, workflowId, signal } };
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
    },
  });
}

/**
 * Stores what the carrier reported, also before the consignment begins. A report about an order that is no longer delivered has no effect:
 * it is refused.
 */
export function deliveryRoute(shipments: Shipments, temporal: Temporal): Route {
  return route({
    ...changing,
    method: 'PUT',
    path: '/consignments/:orderId/delivery',
    operationId: 'reportDelivery',
    summary: 'Store whether the carrier delivered the parcel',
    description:
      'The report may arrive before the consignment begins; the latest one counts. 409 when the delivery of the order has ended.',
    params: orderIdSchema,
    body: z.strictObject({ delivered: z.boolean({ error: 'delivered must be true or false' }) }),
    answer: z
      .object({ orderId: z.string(), delivered: z.boolean() })
      .meta({ id: 'DeliveryReport', description: 'The report as it is stored.' }),
    async handler({ params: { orderId }, body: { delivered } }) {
      await assertUnderWay(temporal, orderId);
      await shipments.report(orderId, delivered);
      return { data: { orderId, delivered } };
    },
  });
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
