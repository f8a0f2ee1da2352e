export { changeActions, changeSources } from './changes';
export type { ChangeAction, ChangeSource, DeletedItem, FieldDifference, ItemChange, RestoreCheck } from './changes';
export { detailCatalogue } from './detail-codes';
export type { DetailCode } from './detail-codes';
export type { EmbeddedTemporalState } from './embedded-temporal';
export type { ErrorDetail, Failure, SecondFactorKind, SecondFactorQuestion, Success } from './envelope';
export { errorCatalogue } from './errors';
export type { ErrorCode, ErrorKind } from './errors';
export { crashEvidences } from './host-messages';
export type {
  CrashAttribution,
  CrashEvidence,
  HostedPlugin,
  HostMessage,
  HostStart,
  LauncherMessage,
  Quarantine,
  Successor,
} from './host-messages';
export type { ImportLine, ImportProblem, ImportProgress, ImportReport } from './imports';
export { fieldTypes, furtherFieldTypes, furtherOperators, itemActions, operators, optionColors } from './items';
export type {
  Cardinality,
  CmsFieldType,
  Column,
  Criterion,
  FieldHints,
  FormField,
  ItemAction,
  ItemMetadata,
  ItemReferences,
  ModelInfo,
  NumberKind,
  Operator,
  OptionColor,
  Row,
  SearchField,
  SearchGroup,
  SearchHit,
  SearchResult,
} from './items';
export { userVariables } from './roles';
export type { Grant, GrantTarget, ItemCondition, Permission, Role, ShownGrant } from './roles';
export { pluginChangePhases, pluginCheckParts } from './plugin-changes';
export type {
  GenerationsReport,
  PluginChange,
  PluginChangeAction,
  PluginChangePhase,
  PluginCheckLine,
  PluginCheckOutcome,
  PluginCheckPart,
  PluginCheckReport,
  PluginDecision,
} from './plugin-changes';
export { uiApiVersion } from './plugin-ui';
export type { PluginItemAction, PluginPage, PluginUi, PluginUiProblem } from './plugin-ui';
export { pluginPhases, pluginStates } from './plugins';
export type {
  Contributions,
  PluginPhase,
  PluginProblem,
  PluginReport,
  PluginState,
  PluginUiReport,
  SchemaDifference,
  StartupReport,
} from './plugins';
export {
  activityRetries,
  consignmentResults,
  consignmentWorkflowId,
  describeTaskFailure,
  operationStatuses,
  operationWorkflowId,
  operationWorkflowTypes,
  orderIdPattern,
  orderOperations,
  maxSettlementReasonLength,
  resetLockKey,
  settledElsewhere,
  settlementOutcomes,
  maxCountedOrders,
  maxListedOrders,
  maxOrderDays,
  orderGroups,
  orderRowSteps,
  orderStatuses,
  orderSteps,
  orderWorkflowId,
  orderIdSchema,
  parseOrderId,
  queryNames,
  namedResetPoints,
  resetWarningCodes,
  signalNames,
  permissionsOfSignals,
  signalsOf,
  stateQueryOf,
  taskQueues,
  timeLimits,
  workerGoneAfterMs,
  workflowStatuses,
  workflowTypes,
} from './orders';
export type {
  ActivityRetry,
  ActivityState,
  ActivityView,
  ConsignmentResult,
  ConsignmentState,
  ConsignmentStep,
  EmailActivities,
  OperateOnOrder,
  OperationEnd,
  OperationRequest,
  OperationResult,
  OperationStarted,
  OrderActivities,
  OrderOperation,
  OrderAcknowledged,
  OrderSettled,
  SettlementOutcome,
  OrderProgress,
  OrderRow,
  OrderRowStep,
  ListedOrder,
  OrderAcknowledgement,
  OrderCount,
  OrderCounts,
  OrderDay,
  OrderGroup,
  OrderState,
  OrderStatus,
  OrderStep,
  ParsedOrderId,
  PaymentActivities,
  PendingChild,
  PlaceOrder,
  PlaceOrderRequest,
  PlaceOrderResult,
  ResetOutcome,
  ResetPoint,
  ResetWarning,
  ShippingActivities,
  SignalName,
  StartConsignment,
  TaskFailure,
  TaskQueue,
  WorkflowDetail,
  OperationsOverview,
  WorkflowStatus,
  WorkflowSummary,
} from './orders';
export { isTextLine, textLineRule } from './text-line';
export { deliverWorkflow, subscriptionsTaskQueue, wakeSignal } from './subscriptions';
export type {
  DeliveredAction,
  DeliverInput,
  DeliverOutcome,
  SubscriptionActivities,
  SubscriptionState,
  SubscriptionStatus,
  UndeliveredChange,
  Webhook,
  WebhookCondition,
  WebhookDelivery,
  WebhookTest,
} from './subscriptions';
