import type { OrderStatus } from './order-row';

/** The operations on an order that needs a decision: `POST /orders/{orderId}/refund` and `/redelivery`. @public */
export const orderOperations = ['refund', 'redelivery'] as const;
/** One of {@link orderOperations}. @public */
export type OrderOperation = (typeof orderOperations)[number];

/** Names under which the workflows of the operations are registered and started. @public */
export const operationWorkflowTypes = {
  refund: 'refundOrder',
  redelivery: 'redeliverOrder',
} as const satisfies Record<OrderOperation, string>;

/** The status of an order while an operation runs. @public */
export const operationStatuses = {
  refund: 'REFUNDING',
  redelivery: 'REDELIVERING',
} as const satisfies Record<OrderOperation, OrderStatus>;

/** The id of the workflow of an operation, for example `refund-1001`. @public */
export function operationWorkflowId(operation: OrderOperation, orderId: string): string {
  return `${operation}-${orderId}`;
}

/** The value of `operation` in the row of an order that was settled outside of the platform. @public */
export const settledElsewhere = 'settlement';

/** The value of `operation` in the row of an order that an operation has delivered; what its own workflow says counts no more. @public */
export const deliveredByOperation = 'delivery';

/** Name under which {@link FindSettlement} is registered and started, on `order-tq`. @public */
export const settlementWorkflowType = 'findSettlement';

/** The last word on an order: it was settled outside of the platform, or an operation has delivered it. @public */
export interface OrderSettlement {
  readonly operation: typeof settledElsewhere | typeof deliveredByOperation;
  readonly status: OrderStatus;
  /** The reason of a settlement; null for a delivery. */
  readonly reason: string | null;
}

/** A short workflow by which other services ask the order service whether an order was settled; null when it was not. @public */
export type FindSettlement = (orderId: string) => Promise<OrderSettlement | null>;

/** The key of PostgreSQL's advisory lock that is held during a reset of a workflow, and while code relies on no reset. @public */
export function resetLockKey(workflowId: string): string {
  return `gantry.ops.reset ${workflowId}`;
}

/** How an order that needs a decision can have been settled outside of the platform. @public */
export const settlementOutcomes = ['REFUNDED', 'DELIVERED'] as const satisfies readonly OrderStatus[];
/** One of {@link settlementOutcomes}. @public */
export type SettlementOutcome = (typeof settlementOutcomes)[number];

/** Characters of the reason of a settlement: with the name of who asks, it fits into the reason of the row. @public */
export const maxSettlementReasonLength = 850;

/** An operation on an order that needs a decision; what its workflow is started with. @public */
export interface OperationRequest {
  readonly orderId: string;
  readonly namespaceId: string;
  /** The value of `operation` in the row when the workflow was started. */
  readonly operation: string;
}

/** How the workflow of an operation ends. @public */
export interface OperationResult {
  readonly orderId: string;
  readonly outcome: 'DELIVERED' | 'REFUNDED';
}

/** The workflow of an operation on an order that needs a decision. @public */
export type OperateOnOrder = (request: OperationRequest) => Promise<OperationResult>;
