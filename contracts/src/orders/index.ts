export type {
  EmailActivities,
  OperationEnd,
  OrderActivities,
  OrderProgress,
  PaymentActivities,
  ShippingActivities,
} from './activities';
export { activityRetries, timeLimits } from './limits';
export type { ActivityRetry } from './limits';
export { namedResetPoints, resetWarningCodes, workflowStatuses } from './operations';
export type { ResetPoint, WorkflowStatus } from './operations';
export { consignmentWorkflowId, orderIdPattern, orderWorkflowId, parseOrderId } from './order-id';
export type { ParsedOrderId } from './order-id';
export { orderIdSchema } from './order-id-schema';
export {
  maxSettlementReasonLength,
  operationStatuses,
  operationWorkflowId,
  operationWorkflowTypes,
  orderOperations,
  resetLockKey,
  deliveredByOperation,
  settledElsewhere,
  settlementOutcomes,
  settlementWorkflowType,
} from './order-operations';
export type {
  FindSettlement,
  OperateOnOrder,
  OperationRequest,
  OperationResult,
  OrderOperation,
  OrderSettlement,
  SettlementOutcome,
} from './order-operations';
export { maxCountedOrders, maxListedOrders, maxOrderDays, orderGroups } from './order-list';
export type { OrderGroup } from './order-list';
export { orderRowSteps, orderStatuses, orderSteps } from './order-row';
export type { OrderRow, OrderRowStep, OrderStatus } from './order-row';
export { describeTaskFailure } from './task-failures';
export type { TaskFailure } from './task-failures';
export { taskQueues, workerGoneAfterMs } from './task-queues';
export type { TaskQueue } from './task-queues';
export {
  consignmentResults,
  dispatchedMarker,
  permissionsOfSignals,
  queryNames,
  signalNames,
  signalsOf,
  stateQueryOf,
  workflowTypes,
} from './workflows';
export type {
  ConsignmentResult,
  ConsignmentState,
  ConsignmentStep,
  OrderState,
  OrderStep,
  PlaceOrder,
  PlaceOrderRequest,
  PlaceOrderResult,
  SignalName,
  StartConsignment,
} from './workflows';
