/** Names under which workflows are registered and started. @public */
export const workflowTypes = { placeOrder: 'placeOrder', startConsignment: 'startConsignment' } as const;

/** Names of signals; none of them has arguments (order specification, section 2). @public */
export const signalNames = {
  paymentReceived: 'paymentReceived',
  shipmentDispatched: 'shipmentDispatched',
  customerConfirmed: 'customerConfirmed',
} as const;

/**
 * The patch marker that a consignment records once its parcel has left. Temporal lists workflows by their patch markers (search
 * attribute `TemporalChangeVersion`), so that the order service finds dispatches without reading the histories of consignments that wait.
 * @public
 */
export const dispatchedMarker = 'dispatched';

/** One of {@link signalNames}. @public */
export type SignalName = keyof typeof signalNames;

/** The signals that a workflow type reacts to. @public */
export const signalsOf = {
  placeOrder: [signalNames.paymentReceived],
  startConsignment: [signalNames.shipmentDispatched, signalNames.customerConfirmed],
} as const satisfies Record<keyof typeof workflowTypes, readonly SignalName[]>;

/** The permission of the route that sends a signal: one who sends it in another way needs it, too. @public */
export const permissionsOfSignals = {
  paymentReceived: 'payment.receive',
  shipmentDispatched: 'consignment.change',
  customerConfirmed: 'consignment.change',
} as const satisfies Record<SignalName, string>;

/** Names of queries. @public */
export const queryNames = { orderState: 'orderState', consignmentState: 'consignmentState' } as const;

/** The query by which a workflow type reports its progress. @public */
export const stateQueryOf = {
  placeOrder: queryNames.orderState,
  startConsignment: queryNames.consignmentState,
} as const satisfies Record<keyof typeof workflowTypes, keyof typeof queryNames>;

/** The argument of the parent workflow. @public */
export interface PlaceOrderRequest {
  readonly orderId: string;
}

/** How a consignment ends: the parcel arrived, or the order is paid back. @public */
export const consignmentResults = ['DELIVERED', 'UNDELIVERED'] as const;
/** One of {@link consignmentResults}. @public */
export type ConsignmentResult = (typeof consignmentResults)[number];

/**
 * How an order that completed has ended: `DELIVERED`; `NOT_PAID` when the payment wait elapsed;
 * `REFUNDED` after compensation.
 * @public
 */
export interface PlaceOrderResult {
  readonly orderId: string;
  readonly outcome: 'DELIVERED' | 'NOT_PAID' | 'REFUNDED';
}

/** The steps of the parent workflow (order specification, section 3). @public */
export type OrderStep =
  | 'START'
  | 'ORDER_PLACED'
  | 'NOT_PAID'
  | 'PAID'
  | 'WAITING_FOR_CHILD'
  | 'COMPENSATING'
  | 'COMPLETED';

/** Answer of the query `orderState`. @public */
export interface OrderState {
  readonly orderId: string;
  readonly step: OrderStep;
  readonly paymentReceived: boolean;
  /** Present as soon as the child has ended. */
  readonly consignment?: ConsignmentResult;
}

/** The steps of the child workflow (order specification, section 3). @public */
export type ConsignmentStep =
  | 'WAITING_FOR_DISPATCH'
  | 'SLEEPING'
  | 'CHECKING'
  | 'WAITING_FOR_CONFIRMATION'
  | 'FINISHED';

/** Answer of the query `consignmentState`. @public */
export interface ConsignmentState {
  readonly orderId: string;
  readonly step: ConsignmentStep;
  readonly shipmentDispatched: boolean;
  readonly customerConfirmed: boolean;
  /** Present as soon as the consignment has finished. */
  readonly result?: ConsignmentResult;
}

/** The parent workflow. @public */
export type PlaceOrder = (request: PlaceOrderRequest) => Promise<PlaceOrderResult>;

/** The child workflow. @public */
export type StartConsignment = (orderId: string) => Promise<ConsignmentResult>;
