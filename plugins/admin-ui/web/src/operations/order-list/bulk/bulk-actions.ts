import { orderWorkflowId, type OrderRowStep, type ResetPoint } from '@gantry/contracts';
import { ApiError } from '../../../api/api-error';
import { acknowledgeOrder, decideOrder, reportOrder, type ListedOrder } from '../../api/orders';
import { endWorkflow, resetWorkflow, tryReset, type AuditNote, type ResetOutcome } from '../../api/workflows';
import { nextAction } from '../next-action';

/** Actions on several orders at once. */
export const bulkActions = ['dispatch', 'cancel', 'refund', 'redelivery', 'reset', 'acknowledgement'] as const;
/** One of {@link bulkActions}. */
export type BulkAction = (typeof bulkActions)[number];

interface BulkTexts {
  readonly button: string;
  title(orders: string): string;
  confirm(orders: string): string;
  readonly explained: string;
  /** Result of the action on an order. */
  readonly done: string;
  /** Which orders it applies to, after "Not included:". */
  readonly appliesTo: string;
}

export const bulkTexts: Readonly<Record<BulkAction, BulkTexts>> = {
  dispatch: {
    button: 'Dispatch',
    title: (orders) => `Dispatch ${orders}?`,
    confirm: (orders) => `Dispatch ${orders}`,
    explained: 'Each consignment is recorded as dispatched. Its delivery begins now.',
    done: 'Dispatched',
    appliesTo: 'only orders that wait for dispatch can be dispatched',
  },
  cancel: {
    button: 'Cancel orders',
    title: (orders) => `Cancel ${orders}?`,
    confirm: (orders) => `Cancel ${orders}`,
    explained:
      'An order that is not paid ends. A paid order is refunded, its consignment is cancelled and the customer is notified.',
    done: 'Cancellation requested',
    appliesTo: 'only orders that are open, and not being refunded, can be cancelled',
  },
  refund: {
    button: 'Refund',
    title: (orders) => `Refund ${orders}?`,
    confirm: (orders) => `Refund ${orders}`,
    explained:
      'Each payment is refunded and the customer is notified. Nothing is delivered any more: make sure that no parcel is in transit.',
    done: 'Refund started',
    appliesTo: 'only orders that need a decision can be refunded',
  },
  redelivery: {
    button: 'Deliver again',
    title: (orders) => `Deliver ${orders} again?`,
    confirm: (orders) => `Deliver ${orders} again`,
    explained: 'A new consignment is started for each order. If it is not delivered, the payment is refunded.',
    done: 'Redelivery started',
    appliesTo: 'only orders that need a decision can be delivered again',
  },
  reset: {
    button: 'Reset',
    title: (orders) => `Reset ${orders}?`,
    confirm: (orders) => `Reset ${orders}`,
    explained:
      'A new run of each workflow repeats the step that failed, or the last one where none has failed, and continues from there. What was done before is kept.',
    done: 'Reset: a new run continues',
    appliesTo: 'only orders that have failed or need a decision can be reset',
  },
  acknowledgement: {
    button: 'Acknowledge',
    title: (orders) => `Acknowledge the failure of ${orders}?`,
    confirm: (orders) => `Acknowledge ${orders}`,
    explained: 'These orders are no longer listed under “Needs attention”. Nothing else happens to them.',
    done: 'Acknowledged',
    appliesTo: 'only orders that have failed, and were not acknowledged before, can be acknowledged',
  },
};

/** Whether the action applies to the order as it is now. */
export function isApplicable(
  action: BulkAction,
  order: Pick<ListedOrder, 'status' | 'step' | 'acknowledgement'>,
): boolean {
  switch (action) {
    case 'dispatch':
      return nextAction(order) === 'dispatch';
    case 'cancel':
      return order.status === 'OPEN' && order.step !== 'COMPENSATING' && order.step !== 'COMPLETED';
    case 'refund':
    case 'redelivery':
      return order.status === 'NEEDS_DECISION';
    case 'reset':
      return order.status === 'NEEDS_DECISION' || order.status === 'FAILED';
    case 'acknowledgement':
      return nextAction(order) === 'acknowledge';
  }
}

/** Applies the action to one order. A dispatch has no reason. */
export async function applyAction(action: BulkAction, orderId: string, note: AuditNote): Promise<void> {
  switch (action) {
    case 'dispatch':
      return reportOrder(orderId, 'dispatch');
    case 'cancel':
      return endWorkflow(orderWorkflowId(orderId), 'cancel', note);
    case 'refund':
    case 'redelivery':
      return decideOrder(orderId, action, note);
    case 'reset': {
      const { to, runId } = await planReset(orderId);
      await resetWorkflow(orderWorkflowId(orderId), { to, runId }, note);
      return;
    }
    case 'acknowledgement':
      return acknowledgeOrder(orderId, note);
  }
}

/** Steps that a reset of an order would repeat, in words. @throws ApiError when it would be refused */
export async function describeReset(orderId: string, signal: AbortSignal): Promise<string> {
  const { repeats } = await planReset(orderId, signal);
  return repeats.length === 0 ? 'Continues after its last step' : `Repeats ${repeats.join(', ')}`;
}

/** The points that the page of an order proposes, in this order. A workflow that was terminated has no failed step. */
const resetPoints = ['COMPENSATION', 'FAILED_STEP', 'LAST_TASK'] as const;

interface ResetPlan extends Pick<ResetOutcome, 'repeats'> {
  readonly to: ResetPoint;
  readonly runId: string;
}

/** The first point that a dry run does not refuse. @throws ApiError when all are refused */
async function planReset(orderId: string, signal?: AbortSignal): Promise<ResetPlan> {
  let refused: unknown;
  for (const to of resetPoints) {
    try {
      const { repeats, resetRunId } = await tryReset(orderWorkflowId(orderId), { to }, signal);
      return { to, repeats, runId: resetRunId };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
      refused = error;
    }
  }
  throw refused;
}

const paidSteps: readonly OrderRowStep[] = ['PAID', 'WAITING_FOR_CHILD', 'IN_TRANSIT'];

/** Effect on one order, if it differs from order to order. */
export function effectOn(action: BulkAction, { step }: Pick<ListedOrder, 'step'>): string | undefined {
  if (action !== 'cancel') return undefined;
  return step !== null && paidSteps.includes(step) ? 'Paid: is refunded' : 'Not paid: ends';
}

/** `1 order`, `12 orders` */
export function countedOrders(count: number): string {
  return count === 1 ? '1 order' : `${count.toLocaleString()} orders`;
}
