import type { ListedOrder } from '../api/orders';

/** Next action of a person on an order; undefined if the order continues without a person, or has ended. */
export type NextAction = 'pay' | 'dispatch' | 'decide' | 'acknowledge';

export function nextAction(order: Pick<ListedOrder, 'status' | 'step' | 'acknowledgement'>): NextAction | undefined {
  const { status, step, acknowledgement } = order;
  if (status === 'FAILED' && acknowledgement === null) return 'acknowledge';
  if (status === 'NEEDS_DECISION') return 'decide';
  if (status === 'OPEN' && (step === 'START' || step === 'ORDER_PLACED')) return 'pay';
  if ((status === 'OPEN' || status === 'REDELIVERING') && step === 'WAITING_FOR_CHILD') return 'dispatch';
  return undefined;
}

/** Whether a person has to decide about an order, or to take note of its failure. */
export function awaitsDecision(order: ListedOrder): boolean {
  const action = nextAction(order);
  return action === 'decide' || action === 'acknowledge';
}
