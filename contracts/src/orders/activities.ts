import type { FindSettlement, OperationRequest, OperationResult } from './order-operations';
import type { OrderStatus } from './order-row';
import type { OrderStep } from './workflows';

/** Activities of the email service, on `email-tq`. Every one has its effect once per order. @public */
export interface EmailActivities {
  sendOrderPlacedNotification(orderId: string): Promise<void>;
  sendPaymentCompletedNotification(orderId: string): Promise<void>;
  sendOrderCancelledNotification(orderId: string): Promise<void>;
}

/** Activities of the payment service, on `payment-tq`. @public */
export interface PaymentActivities {
  /**
   * True when a payment of the order was accepted. No step of the specified flow calls it: the signal paymentReceived
   * notifies an order that it is paid, and the specified trace has nothing between signal and notification.
   */
  checkPayment(orderId: string): Promise<boolean>;
  /** Pays back; has its effect once per order. */
  refundPayment(orderId: string): Promise<void>;
  /** True when the order was paid back. A redelivery asks it before it begins. */
  checkRefund(orderId: string): Promise<boolean>;
}

/** Activities of the consignment service for its own workflow, on `consignment-tq`. @public */
export interface ShippingActivities {
  /** The report of the carrier: true means delivered. */
  checkShipping(orderId: string): Promise<boolean>;
}

/** How far an order is, as its workflow says. @public */
export interface OrderProgress {
  readonly orderId: string;
  /** The first run of the workflow. */
  readonly runId: string;
  readonly step: OrderStep;
  readonly status: OrderStatus;
  readonly reason?: string;
  /** The time of the workflow: ISO 8601 in UTC with milliseconds. */
  readonly since: string;
}

/** The end of an operation, as its workflow says. @public */
export interface OperationEnd {
  readonly orderId: string;
  readonly namespaceId: string;
  /** The run that carries out the operation. */
  readonly runId: string;
  /** `NEEDS_DECISION` when the operation has failed. */
  readonly status: OperationResult['outcome'] | 'NEEDS_DECISION';
  readonly reason?: string;
  readonly since: string;
}

/** Activities of the order service for its own workflows, on `order-tq`. @public */
export interface OrderActivities {
  /**
   * Stores how far an order is, unless the row says more already; runs as a local activity.
   * @returns the status that the row has afterwards
   */
  recordOrder(progress: OrderProgress): Promise<OrderStatus>;
  /** Makes this run the one that carries out an operation. @returns false when the row no longer asks for it */
  beginOperation(
    request: OperationRequest & { readonly runId: string; readonly status: OrderStatus },
  ): Promise<boolean>;
  /** Stores how an operation ended; changes nothing unless this run carries it out. */
  finishOperation(end: OperationEnd): Promise<void>;
  /** Whether an order was settled, in the namespace of the platform. */
  findSettlement: FindSettlement;
}
