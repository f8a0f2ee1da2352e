import { orderGroups, orderRowSteps, orderStatuses, settlementOutcomes, type OrderGroup } from '@gantry/contracts';
import type { ValueOf } from '@gantry/plugin-api';
import { z } from 'zod';

const orderId = z.string();
const instant = z.string().meta({ format: 'date-time' });

/** Who took note of the failure of an order, and why nothing more has to be done. */
export const acknowledgement = z
  .object({
    at: instant,
    by: z.string().nullable().describe('Null if the request named nobody.'),
    reason: z.string(),
  })
  .meta({ id: 'Acknowledgement', description: 'The acknowledgement of the failure of an order.' });

export type OrderAcknowledgement = ValueOf<typeof acknowledgement>;

/** An order as its row has it. */
export const listedOrder = z
  .object({
    orderId,
    status: z.enum(orderStatuses).nullable(),
    step: z.enum(orderRowSteps).nullable(),
    reason: z.string().nullable().describe('Reason of the status NEEDS_DECISION, FAILED, CANCELED or REFUNDED.'),
    since: instant.nullable().describe('Time at which the order reached its step and status.'),
    placedAt: instant,
    isStalled: z.boolean().describe('True if the order has made no progress for longer than its step can take.'),
    acknowledgement: acknowledgement.nullable().describe('Set if the failure of the order was acknowledged.'),
  })
  .meta({
    id: 'ListedOrder',
    description:
      'An order. Step, status and `since` are null for an order of an earlier version that Temporal no longer keeps.',
  });

export type ListedOrder = ValueOf<typeof listedOrder>;

const orderCount = z
  .object({ count: z.int(), isCapped: z.boolean().describe('True if there are more orders than `count`.') })
  .meta({ id: 'OrderCount', description: 'The number of orders of a group, up to 10,000.' });

type CountSchemas = Readonly<Record<OrderGroup | 'all', typeof orderCount>>;

/** How many orders each group has. */
export const orderCounts = z
  .object(Object.fromEntries([...orderGroups, 'all'].map((group) => [group, orderCount])) as CountSchemas)
  .meta({ id: 'OrderCounts', description: 'Numbers of orders by group.' });

export type OrderCounts = ValueOf<typeof orderCounts>;

/** How many orders were placed on a day. */
export const orderDay = z
  .object({ day: z.string().meta({ format: 'date' }), placed: z.int() })
  .meta({ id: 'OrderDay', description: 'The number of orders that were placed on a day.' });

export type OrderDay = ValueOf<typeof orderDay>;

/** A workflow of an order that runs. */
export const startedWorkflow = z
  .object({ orderId, workflowId: z.string(), runId: z.string() })
  .meta({ id: 'StartedWorkflow', description: 'The workflow that was started for an order.' });

/** How an order was settled outside of the platform. */
export const settledOrder = z
  .object({ orderId, status: z.enum(settlementOutcomes) })
  .meta({ id: 'SettledOrder', description: 'The settlement of an order outside the platform.' });

/** The failure of an order of which a person took note. */
export const acknowledgedOrder = z
  .object({ orderId, acknowledgement })
  .meta({ id: 'AcknowledgedOrder', description: 'The acknowledgement of the failure of an order.' });

/** Of the answer to a request that may have been sent before. */
export const repeated = z.object({
  duplicate: z.boolean().exactOptional().describe('True if the same request was made before.'),
});
