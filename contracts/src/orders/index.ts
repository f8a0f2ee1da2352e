export type {
  EmailActivities,
  OperationEnd,
  OperationRequest,
  OperationResult,
  OrderActivities,
  OrderProgress,
  PaymentActivities,
  ShippingActivities,
} from './activities';
export { activityRetries, timeLimits } from './limits';
export type { ActivityRetry } from './limits';
export { resetWarningCodes, workflowStatuses } from './operations';
export type {
  ActivityState,
  ActivityView,
  PendingChild,
  ResetOutcome,
  ResetPoint,
  ResetWarning,
  WorkflowDetail,
  OperationsOverview,
  WorkflowStatus,
  WorkflowSummary,
} from './operations';
export { consignmentWorkflowId, orderIdPattern, orderWorkflowId, parseOrderId } from './order-id';
export type { ParsedOrderId } from './order-id';
export {
  operationStatuses,
  operationWorkflowId,
  operationWorkflowTypes,
  orderOperations,
  orderStatuses,
  orderSteps,
} from './order-row';
export type { OperationStarted, OrderOperation, OrderRow, OrderStatus } from './order-row';
export { describeTaskFailure } from './task-failures';
export type { TaskFailure } from './task-failures';
export { taskQueues, workerGoneAfterMs } from './task-queues';
export type { TaskQueue } from './task-queues';
export { consignmentResults, queryNames, signalNames, signalsOf, stateQueryOf, workflowTypes } from './workflows';
export type {
  ConsignmentResult,
  ConsignmentState,
  ConsignmentStep,
  OrderState,
  OrderStep,
  OperateOnOrder,
  PlaceOrder,
  PlaceOrderRequest,
  PlaceOrderResult,
  SignalName,
  StartConsignment,
} from './workflows';
