/** The subject of a notification. */
export type NotificationKind = 'ORDER_PLACED' | 'PAYMENT_COMPLETED' | 'ORDER_CANCELLED';

/** A notification as the customer reads it. */
export interface NotificationText {
  readonly subject: string;
  readonly body: string;
}

/** The text of a notification of an order. */
export function notificationText(orderId: string, kind: NotificationKind): NotificationText {
  switch (kind) {
    case 'ORDER_PLACED':
      return {
        subject: `Your order ${orderId}`,
        body: `Thank you. Your order ${orderId} has been placed and waits for your payment.`,
      };
    case 'PAYMENT_COMPLETED':
      return {
        subject: `Payment for order ${orderId}`,
        body: `Your payment for order ${orderId} has arrived. The parcel is being made ready.`,
      };
    case 'ORDER_CANCELLED':
      return {
        subject: `Order ${orderId} is cancelled`,
        body: `Order ${orderId} could not be delivered and is cancelled. Your payment has been paid back.`,
      };
  }
}
