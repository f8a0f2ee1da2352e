/** What the email service does for others, on `email-tq`. Every one has its effect once per order. @public */
export interface EmailActivities {
  sendOrderPlacedNotification(orderId: string): Promise<void>;
  sendPaymentCompletedNotification(orderId: string): Promise<void>;
  sendOrderCancelledNotification(orderId: string): Promise<void>;
}

/** What the payment service does for others, on `payment-tq`. @public */
export interface PaymentActivities {
  /**
   * True when a payment of the order was accepted. No step of the specified flow calls it: the signal paymentReceived
   * is what tells an order that it is paid, and the specified trace has nothing between signal and notification.
   */
  checkPayment(orderId: string): Promise<boolean>;
  /** Pays back; has its effect once per order. */
  refundPayment(orderId: string): Promise<void>;
}

/** What the consignment service does for its own workflow, on `consignment-tq`. @public */
export interface ShippingActivities {
  /** What the carrier reported: true means delivered. */
  checkShipping(orderId: string): Promise<boolean>;
}
