import { consignmentWorkflowId, signalNames, workflowTypes } from '@gantry/contracts';
import type { WorkflowDetail } from '../api/workflows';
import type { HistoryEvent } from '../api/history-event';
import { timelineGroups, type TimelineGroup } from '../timeline/timeline-groups';

export type StepKey = 'placed' | 'payment' | 'dispatch' | 'delivery' | 'confirmation' | 'compensation';
export type StepState = 'done' | 'active' | 'waiting' | 'skipped' | 'failed';

/** A step of an order as a person follows it. */
export interface OrderStep {
  readonly key: StepKey;
  readonly state: StepState;
  readonly text: string;
  /** When it was done, in milliseconds. */
  readonly time?: number;
  /** When the wait for it began, in milliseconds; the text then has no full stop at its end. */
  readonly since?: number;
  /** When the wait for it ends by itself. */
  readonly until?: number;
}

export interface OrderSources {
  readonly order: WorkflowDetail;
  readonly orderEvents: readonly HistoryEvent[];
  /** Of the consignment that the order began last; absent as long as there is none. */
  readonly consignmentEvents: readonly HistoryEvent[] | undefined;
  /** The workflow that delivers the order again, with its consignment. */
  readonly redelivery?: OrderSources | undefined;
}

/** The state of an order, read from what its two workflows have recorded; after the payment, from those of a redelivery. */
export function orderSteps(sources: OrderSources): readonly OrderStep[] {
  const first = factsOf(sources);
  const facts = factsOf(latestOf(sources));
  return [placed(first), payment(first), dispatch(facts), delivery(facts), confirmation(facts), compensation(facts)];
}

/** The workflows that deliver the order. */
export function latestOf(sources: OrderSources): OrderSources {
  return sources.redelivery ?? sources;
}

/** The run of the consignment that the order has begun last. */
export function consignmentRun(orderEvents: readonly HistoryEvent[]): string | undefined {
  return timelineGroups(orderEvents, []).findLast(
    ({ kind, name }) => kind === 'child' && name === workflowTypes.startConsignment,
  )?.runId;
}

/** Whether the two workflows still take a report, whatever step they are in. */
export function isOpen(sources: OrderSources): { readonly order: boolean; readonly consignment: boolean } {
  const { open, consignmentOpen } = factsOf(latestOf(sources));
  return { order: open, consignment: consignmentOpen };
}

interface Facts {
  readonly status: WorkflowDetail['status'];
  readonly open: boolean;
  readonly consignmentOpen: boolean;
  /** Groups of each workflow in the order begun. */
  readonly order: readonly TimelineGroup[];
  readonly consignment: readonly TimelineGroup[];
  readonly child: TimelineGroup | undefined;
}

function factsOf({ order: detail, orderEvents, consignmentEvents = [] }: OrderSources): Facts {
  const order = inOrder(timelineGroups(orderEvents, detail.activities));
  const consignment = inOrder(timelineGroups(consignmentEvents, []));
  const child = order.findLast(
    ({ kind, workflowId }) => kind === 'child' && workflowId?.startsWith(consignmentWorkflowId('')) === true,
  );
  const open = detail.status === 'RUNNING';
  return {
    status: detail.status,
    open,
    order,
    consignment,
    child,
    consignmentOpen: consignmentEvents.length > 0 && child?.end === undefined && open,
  };
}

function inOrder(groups: readonly TimelineGroup[]): readonly TimelineGroup[] {
  return groups.toSorted((left, right) => Number(left.events[0]) - Number(right.events[0]));
}

function named(groups: readonly TimelineGroup[], name: string): TimelineGroup | undefined {
  return groups.findLast((group) => group.name === name);
}

function placed({ open, order }: Facts): OrderStep {
  const notice = named(order, 'sendOrderPlacedNotification');
  const time = notice?.start;
  if (notice?.state === 'completed') {
    return {
      key: 'placed',
      state: 'done',
      text: 'The order was placed.',
      ...withTime(time),
    };
  }
  if (!open) {
    return {
      key: 'placed',
      state: 'failed',
      text: 'The order ended before the customer was notified.',
      ...withTime(time),
    };
  }
  return {
    key: 'placed',
    state: 'active',
    text: `The order was placed; the customer is being notified.${attempts(notice)}`,
    ...withTime(time),
  };
}

/** The step that an order is at; undefined when it has ended. */
export function activeStep(steps: readonly OrderStep[]): OrderStep | undefined {
  return steps.find(({ state }) => state === 'active');
}

function payment({ open, status, order }: Facts): OrderStep {
  const signal = named(order, signalNames.paymentReceived);
  const timer = order.find(({ kind }) => kind === 'timer');
  if (signal !== undefined) return { key: 'payment', state: 'done', text: 'The payment arrived.', time: signal.start };
  if (!open) {
    const text = status === 'COMPLETED' ? 'The order was not paid in time.' : 'The order ended before it was paid.';
    return { key: 'payment', state: 'skipped', text };
  }
  const since = named(order, 'sendOrderPlacedNotification')?.end;
  return { key: 'payment', state: 'active', ...waiting('Waiting for payment', since), ...withUntil(timer) };
}

function dispatch({ open, consignment, consignmentOpen, child }: Facts): OrderStep {
  const signal = named(consignment, signalNames.shipmentDispatched);
  if (signal !== undefined) {
    return { key: 'dispatch', state: 'done', text: 'The parcel was dispatched.', time: signal.start };
  }
  if (consignmentOpen) return { key: 'dispatch', state: 'active', ...waiting('Waiting for dispatch', child?.start) };
  if (child?.end !== undefined) {
    return {
      key: 'dispatch',
      state: child.state === 'completed' ? 'skipped' : 'failed',
      text: 'The consignment ended before the parcel was dispatched.',
    };
  }
  return open ? { key: 'dispatch', state: 'waiting', text: 'Begins after the payment.' } : skipped('dispatch');
}

function delivery({ open, consignment, consignmentOpen }: Facts): OrderStep {
  const check = named(consignment, 'checkShipping');
  const journey = consignment.find(({ kind }) => kind === 'timer');
  if (check?.state === 'completed' && check.end !== undefined) {
    const delivered = check.result === 'true';
    return {
      key: 'delivery',
      state: delivered ? 'done' : 'failed',
      text: delivered ? 'The carrier delivered the parcel.' : 'The carrier did not deliver the parcel.',
      time: check.end,
    };
  }
  if (journey !== undefined && consignmentOpen) {
    return check === undefined
      ? {
          key: 'delivery',
          state: 'active',
          ...waiting('In transit', named(consignment, signalNames.shipmentDispatched)?.start),
          ...withUntil(journey),
        }
      : { key: 'delivery', state: 'active', text: `The carrier is being asked.${attempts(check)}` };
  }
  return open ? { key: 'delivery', state: 'waiting', text: 'Begins after the dispatch.' } : skipped('delivery');
}

function confirmation({ open, consignment, consignmentOpen }: Facts): OrderStep {
  const signal = named(consignment, signalNames.customerConfirmed);
  const wait = consignment.filter(({ kind }) => kind === 'timer')[1];
  if (signal !== undefined) {
    return { key: 'confirmation', state: 'done', text: 'The customer confirmed the receipt.', time: signal.start };
  }
  if (wait?.state === 'fired') {
    return {
      key: 'confirmation',
      state: 'skipped',
      text: 'The customer did not confirm in time; it counts as delivered.',
    };
  }
  if (wait !== undefined && consignmentOpen) {
    return {
      key: 'confirmation',
      state: 'active',
      ...waiting('Waiting for confirmation', wait.start),
      ...withUntil(wait),
    };
  }
  const refused = named(consignment, 'checkShipping')?.result === 'false';
  return open && !refused
    ? { key: 'confirmation', state: 'waiting', text: 'Begins after the delivery.' }
    : skipped('confirmation');
}

function compensation(facts: Facts): OrderStep {
  const { open, order, child } = facts;
  const refund = named(order, 'refundPayment');
  const notice = named(order, 'sendOrderCancelledNotification');
  const steps = [refund, notice].filter((step) => step !== undefined);
  const failed = steps.find(({ state }) => state === 'failed' || state === 'timed_out');
  const key = 'compensation';
  if (failed !== undefined) {
    const what =
      failed === refund
        ? 'The payment could not be refunded'
        : 'The payment was refunded, but the customer could not be notified';
    return { key, state: 'failed', text: `${what}: ${failed.lastFailure ?? 'it timed out'}`, ...withTime(failed.end) };
  }
  if (notice?.state === 'completed') {
    return {
      key,
      state: 'done',
      text: 'The payment was refunded.',
      ...withTime(notice.end),
    };
  }
  const left = open ? undefined : leftUndone(facts, refund);
  if (left !== undefined) return { key, state: 'failed', text: left };
  if (steps.length > 0) {
    return { key, state: 'active', text: `The payment is being refunded.${attempts(notice ?? refund)}` };
  }
  if (child?.state === 'completed' || !open) return { key, state: 'skipped', text: 'Nothing to refund.' };
  return { key, state: 'waiting', text: 'Only if the parcel is not delivered.' };
}

/** Work that is left to a person for an order that was paid and ended too soon. */
function leftUndone({ status, order, child }: Facts, refund: TimelineGroup | undefined): string | undefined {
  if (refund?.state === 'completed') {
    return 'The payment was refunded, but the order ended before the customer was notified.';
  }
  if (refund !== undefined) {
    return 'The order ended while the payment was being refunded. Check whether the refund was made.';
  }
  if (status === 'COMPLETED' || named(order, signalNames.paymentReceived) === undefined) return undefined;
  if (child?.state === 'completed' && child.result !== '"UNDELIVERED"') return undefined;
  return 'The order was paid and has ended without a refund. Check whether the parcel was delivered.';
}

function skipped(key: StepKey): OrderStep {
  return { key, state: 'skipped', text: '' };
}

function attempts(group: TimelineGroup | undefined): string {
  if (group === undefined || (group.attempt ?? 1) <= 1) return '';
  return ` Attempt ${group.attempt}${group.lastFailure === undefined ? '' : `; the previous attempt failed: ${group.lastFailure}`}.`;
}

/** The event that the order waits for, and since when as far as that is known. */
function waiting(text: string, since: number | undefined): Pick<OrderStep, 'text' | 'since'> {
  return since === undefined ? { text: `${text}.` } : { text, since };
}

function withTime(time: number | undefined): Pick<OrderStep, 'time'> {
  return time === undefined ? {} : { time };
}

function withUntil(timer: TimelineGroup | undefined): Pick<OrderStep, 'until'> {
  return timer?.until === undefined || timer.end !== undefined ? {} : { until: timer.until };
}
