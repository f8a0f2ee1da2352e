const second = 1_000;
const minute = 60 * second;

/**
 * Every time limit of the order workflows in milliseconds (order specification, section 8).
 * The wait for shipmentDispatched has none; only the child's run time-out ends it.
 * @public
 */
export const timeLimits = {
  /** Start-to-close of email activities. */
  emailStartToClose: 30 * second,
  /** Wait of the parent for paymentReceived. */
  paymentWait: 1 * minute,
  /** Run time-out of the child. */
  consignmentRunTimeout: 20 * minute,
  /** Durable sleep of the child between dispatch and checkShipping. */
  deliverySleep: 2 * minute,
  /** Wait of the child for customerConfirmed. */
  confirmationWait: 1 * minute,
  /** Start-to-close of payment activities; the specification is silent, so the same as for email. */
  paymentStartToClose: 30 * second,
  /** Start-to-close of shipping activities; the specification is silent, so the same as for email. */
  shippingStartToClose: 30 * second,
  /** Start-to-close of the activities of the order service itself, which write one row. */
  orderStartToClose: 10 * second,
  /** Execution time-out of the workflow that says whether an order was settled; a reset waits for it. */
  settlementAnswer: 5 * second,
  /** Schedule-to-close of the local activity that stores how far an order is; an order waits for it no longer. */
  recordScheduleToClose: 2 * second,
} as const;

/** How an activity is tried again; intervals in milliseconds. @public */
export interface ActivityRetry {
  readonly initialInterval: number;
  readonly backoffCoefficient: number;
  readonly maximumInterval: number;
  /** Absent: retried without limit. */
  readonly maximumAttempts?: number;
}

const interval = { initialInterval: 1 * second, backoffCoefficient: 2, maximumInterval: 30 * second };

/**
 * The retry policies of the calling stubs (order specification, section 7). What compensates is bounded, so that it can
 * be exhausted and the order then fails visibly: eight attempts, about a minute and a half of waiting, which outlasts
 * the restart of a worker, a database or a mail server. Everything else is tried until it succeeds.
 * @public
 */
export const activityRetries = {
  sendOrderPlacedNotification: interval,
  sendPaymentCompletedNotification: interval,
  checkShipping: interval,
  checkPayment: interval,
  checkRefund: interval,
  beginOperation: interval,
  finishOperation: interval,
  findSettlement: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 500 },
  recordOrder: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 500 },
  refundPayment: { ...interval, maximumAttempts: 8 },
  sendOrderCancelledNotification: { ...interval, maximumAttempts: 8 },
} as const satisfies Record<string, ActivityRetry>;
