import { signalNames, timeLimits, type ConsignmentResult, type OrderStatus, type OrderStep } from '@gantry/contracts';
import type { WorkflowHandle } from '@temporalio/client';
import { endReason, type Closing, type EndSubject, type KeptFailure } from '../workflows/end-reasons';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];
type Timestamp = HistoryEvent['eventTime'];

/** The facts about an order in the history of a run: of the workflow of the order, or of a redelivery or refund. */
export interface OrderFacts {
  readonly subject: EndSubject;
  readonly step: OrderStep;
  /** When the step was reached. */
  readonly stepSince: Date;
  readonly isPaid: boolean;
  readonly isRefunded: boolean;
  /** A refund was begun, and the run ended before its answer came. */
  readonly isRefundUncertain: boolean;
  readonly consignment: ConsignmentResult | undefined;
  /** The consignment was begun, and the run ended before it did. */
  readonly isConsignmentOpen: boolean;
  readonly closing: Closing | undefined;
  /** The result of the run, when it completed. */
  readonly outcome: 'DELIVERED' | 'REFUNDED' | 'NOT_PAID' | undefined;
  readonly closedAt: Date;
  /** The failure that ended the run. */
  readonly failure: KeptFailure | undefined;
}

/** Reads a history. Touches nothing. */
export function readOrderFacts({ events }: History, subject: EndSubject): OrderFacts {
  const facts = { ...begun, subject, closedAt: new Date(0), stepSince: new Date(0) };
  const activities = new Map<string, string>();
  for (const event of events ?? []) {
    noteStep(facts, event, activities);
    noteActivityEnd(facts, event, activities);
    noteConsignment(facts, event);
    noteClosing(facts, event);
  }
  return facts;
}

type Reading = { -readonly [Key in keyof OrderFacts]: OrderFacts[Key] };

const begun: Omit<Reading, 'subject' | 'closedAt' | 'stepSince'> = {
  step: 'START',
  isPaid: false,
  isRefunded: false,
  isRefundUncertain: false,
  consignment: undefined,
  isConsignmentOpen: false,
  closing: undefined,
  outcome: undefined,
  failure: undefined,
};

const stepsOfActivities: Readonly<Record<string, OrderStep>> = {
  sendPaymentCompletedNotification: 'PAID',
  refundPayment: 'COMPENSATING',
};

function noteStep(facts: Reading, event: HistoryEvent, activities: Map<string, string>): void {
  const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
  if (activity != null) activities.set(String(event.eventId), activity);
  if (activity === 'refundPayment') facts.isRefundUncertain = true;
  if (event.workflowExecutionSignaledEventAttributes?.signalName === signalNames.paymentReceived) facts.isPaid = true;
  if (event.workflowExecutionStartedEventAttributes != null) reach(facts, 'START', event);
  const step = stepsOfActivities[activity ?? ''];
  if (step !== undefined) reach(facts, step, event);
  if (event.startChildWorkflowExecutionInitiatedEventAttributes != null) reach(facts, 'WAITING_FOR_CHILD', event);
}

function noteActivityEnd(facts: Reading, event: HistoryEvent, activities: ReadonlyMap<string, string>): void {
  const completed = event.activityTaskCompletedEventAttributes;
  const ended =
    completed ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  if (ended == null) return;
  const activity = activities.get(String(ended.scheduledEventId));
  if (activity === 'sendOrderPlacedNotification' && completed != null) reach(facts, 'ORDER_PLACED', event);
  if (activity !== 'refundPayment') return;
  if (completed != null) facts.isRefunded = true;
  // After a time-out, the attempt that was cut off may still write its row.
  facts.isRefundUncertain = event.activityTaskTimedOutEventAttributes != null;
}

function noteConsignment(facts: Reading, event: HistoryEvent): void {
  if (event.startChildWorkflowExecutionInitiatedEventAttributes != null) facts.isConsignmentOpen = true;
  const completed = event.childWorkflowExecutionCompletedEventAttributes;
  if (completed != null) facts.consignment = valueOf<ConsignmentResult>(completed.result);
  const ended =
    completed ??
    event.startChildWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes;
  if (ended != null) facts.isConsignmentOpen = false;
}

function noteClosing(facts: Reading, event: HistoryEvent): void {
  const failed = event.workflowExecutionFailedEventAttributes;
  const completed = event.workflowExecutionCompletedEventAttributes;
  if (completed != null) facts.closing = 'COMPLETED';
  else if (failed != null) facts.closing = 'FAILED';
  else if (event.workflowExecutionCanceledEventAttributes != null) facts.closing = 'CANCELED';
  else if (event.workflowExecutionTerminatedEventAttributes != null) facts.closing = 'TERMINATED';
  else if (event.workflowExecutionTimedOutEventAttributes != null) facts.closing = 'TIMED_OUT';
  else return;
  facts.outcome = valueOf<Pick<OrderFacts, 'outcome'>>(completed?.result)?.outcome;
  facts.failure = failed?.failure ?? undefined;
  facts.closedAt = dateOf(event.eventTime);
}

function reach(facts: Reading, step: OrderStep, { eventTime }: HistoryEvent): void {
  facts.step = step;
  facts.stepSince = dateOf(eventTime);
}

/** The time of an event, in milliseconds. */
export function dateOf(time: Timestamp): Date {
  return new Date(Number(time?.seconds ?? 0) * 1_000 + Math.floor((time?.nanos ?? 0) / 1_000_000));
}

/** The first value of a result; the order services use plain JSON. */
function valueOf<T>(result: { payloads?: { data?: Uint8Array | null }[] | null } | null | undefined): T | undefined {
  const data = result?.payloads?.[0]?.data;
  return data == null ? undefined : (JSON.parse(Buffer.from(data).toString('utf8')) as T);
}

/** The expected row of an order. */
export interface OrderFinding {
  readonly step: OrderStep;
  readonly status: OrderStatus;
  readonly reason?: string;
  readonly since: Date;
}

/** The state of a consignment that outlived the run that started it; undefined when it no longer exists. */
export type OpenConsignment = 'RUNNING' | ConsignmentResult | undefined;

/**
 * Decides what has become of an order. Touches nothing.
 * @returns undefined as long as it is not known: the consignment still runs, or a refund may still be on its way
 */
export function decideOrder(facts: OrderFacts, consignment: OpenConsignment, now: Date): OrderFinding | undefined {
  if (facts.closing === undefined) return { step: facts.step, status: 'OPEN', since: facts.stepSince };
  const since = facts.closedAt;
  if (facts.outcome !== undefined) {
    return { step: facts.outcome === 'NOT_PAID' ? 'NOT_PAID' : 'COMPLETED', status: facts.outcome, since };
  }
  const isDelivered = facts.consignment === 'DELIVERED' || (facts.isConsignmentOpen && consignment === 'DELIVERED');
  if (facts.isRefunded) return { ...because(facts), step: 'COMPLETED', status: 'REFUNDED', since };
  if (isDelivered) return { ...because(facts), step: 'COMPLETED', status: 'DELIVERED', since };
  if (!facts.isPaid) return unpaid(facts);
  if (facts.isConsignmentOpen && consignment === 'RUNNING') return undefined;
  const isRefundOver = now.getTime() > since.getTime() + timeLimits.paymentStartToClose;
  if (facts.isRefundUncertain && !isRefundOver) return undefined;
  return { ...because(facts), step: facts.step, status: 'NEEDS_DECISION', since };
}

function unpaid(facts: OrderFacts): OrderFinding {
  const status = facts.closing === 'CANCELED' ? 'CANCELED' : 'FAILED';
  return { ...because(facts), step: facts.step, status, since: facts.closedAt };
}

function because({ subject, closing, failure }: OrderFacts): { readonly reason?: string } {
  const reason = closing && endReason(subject, closing, failure);
  return reason === undefined ? {} : { reason };
}
