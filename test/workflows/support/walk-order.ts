import type { OrderEnvironment } from './order-environment';

/** The first steps of an order, which most branches share. Each resolves when the order has got there. */
export interface OrderWalk {
  /** Places the order; it waits for its payment then. */
  place(): Promise<Awaited<ReturnType<OrderEnvironment['placeOrder']>>>;
  /** Places and pays; its consignment waits for the dispatch then. */
  pay(): Promise<Awaited<ReturnType<OrderEnvironment['placeOrder']>>>;
  /** Places, pays and dispatches; its consignment sleeps then. */
  dispatch(): Promise<Awaited<ReturnType<OrderEnvironment['placeOrder']>>>;
  /** All that and the two minutes; its consignment waits for the customer then. */
  deliver(): Promise<Awaited<ReturnType<OrderEnvironment['placeOrder']>>>;
}

export function walkOrder(environment: OrderEnvironment, orderId: string): OrderWalk {
  const walk: OrderWalk = {
    async place() {
      const handle = await environment.placeOrder(orderId);
      await environment.orderAt(orderId, 'ORDER_PLACED');
      return handle;
    },
    async pay() {
      const handle = await walk.place();
      await environment.signalOrder(orderId, 'paymentReceived');
      await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
      return handle;
    },
    async dispatch() {
      const handle = await walk.pay();
      await environment.signalConsignment(orderId, 'shipmentDispatched');
      await environment.consignmentAt(orderId, 'SLEEPING');
      return handle;
    },
    async deliver() {
      const handle = await walk.dispatch();
      await environment.temporal.sleep('121s');
      await environment.consignmentAt(orderId, 'WAITING_FOR_CONFIRMATION');
      return handle;
    },
  };
  return walk;
}
