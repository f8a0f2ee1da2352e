export { changeActions, changeSources } from './changes';
export type { ChangeAction, ChangeSource, DeletedItem, FieldDifference, ItemChange, RestoreCheck } from './changes';
export { explanationCodes } from './explanation-codes';
export type { ExplanationCode } from './explanation-codes';
export { detailCatalogue } from './detail-codes';
export type { DetailCode } from './detail-codes';
export type { EmbeddedTemporalState } from './platform/embedded-temporal';
export {
  conditionComparisons,
  describeCondition,
  evaluateConditions,
  fieldsDecidingOn,
  fieldsOfCondition,
  hasNoValue,
} from './field-conditions';
export type {
  ConditionalField,
  ConditionResults,
  ConditionValue,
  ConditionWords,
  FieldCondition,
} from './field-conditions';
export type {
  ErrorDetail,
  Failure,
  PresenceProof,
  PresenceQuestion,
  SecondFactorKind,
  SecondFactorQuestion,
  Success,
} from './envelope';
export { errorCatalogue } from './errors';
export type { ErrorCode, ErrorKind } from './errors';
export { crashEvidences } from './platform/host-messages';
export type {
  CrashAttribution,
  CrashEvidence,
  HostedPlugin,
  HostMessage,
  HostStart,
  LauncherMessage,
  Quarantine,
  Successor,
} from './platform/host-messages';
export type { ImportLine, ImportProblem, ImportProgress, ImportReport } from './imports';
export {
  deletionRules,
  fieldTypes,
  fieldWidths,
  textFormats,
  furtherFieldTypes,
  furtherOperators,
  itemActions,
  operators,
  optionColors,
} from './items';
export type {
  Cardinality,
  CmsFieldType,
  Column,
  Criterion,
  CriterionGroup,
  DeletionEffect,
  DeletionPlan,
  DeletionRule,
  FieldHints,
  DocumentRules,
  FieldWidth,
  TextFormat,
  FileRules,
  FocalPointRules,
  FormField,
  ItemAction,
  ItemMetadata,
  ItemReferences,
  ModelInfo,
  NumberKind,
  Operator,
  OperatorName,
  OptionColor,
  Row,
  SearchField,
  SearchGroup,
  SearchHit,
  SearchResult,
} from './items';
export { conditionsIn, userVariables } from './roles';
export type {
  Grant,
  GrantCondition,
  GrantTarget,
  ItemCondition,
  ItemConditionGroup,
  Permission,
  Role,
  ShownGrant,
} from './roles';
export { pluginChangeActions, pluginChangePhases, pluginCheckParts } from './platform/plugin-changes';
export type {
  GenerationsReport,
  PluginChange,
  InstalledPackage,
  PluginChangeAction,
  PluginChangePhase,
  PluginCheckLine,
  PluginCheckOutcome,
  PluginCheckPart,
  PluginCheckReport,
  PluginDecision,
  PluginPackage,
  PluginSetReport,
  FollowedSet,
} from './platform/plugin-changes';
export { uiApiVersion } from './platform/plugin-ui';
export type { PluginItemAction, PluginPage, PluginUi, PluginUiProblem } from './platform/plugin-ui';
export { namedContributions, namedContributionsOf, pluginPhases, pluginStates } from './platform/plugins';
export type {
  Contributions,
  NamedContribution,
  NamedContributions,
  PluginPhase,
  PluginProblem,
  PluginReport,
  PluginState,
  PluginUiReport,
  SchemaDifference,
  StartupReport,
} from './platform/plugins';
export type {
  CommandContribution,
  ContributedView,
  ContributedViews,
  HomeCard,
  HomeCardContribution,
  TablePageContribution,
  RouteContributions,
  RowMember,
  TablePage,
} from './platform/route-contributions';
export {
  activityRetries,
  consignmentResults,
  consignmentWorkflowId,
  describeTaskFailure,
  dispatchedMarker,
  operationStatuses,
  operationWorkflowId,
  operationWorkflowTypes,
  orderIdPattern,
  orderOperations,
  maxSettlementReasonLength,
  resetLockKey,
  deliveredByOperation,
  settledElsewhere,
  settlementOutcomes,
  settlementWorkflowType,
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
  ConsignmentResult,
  ConsignmentState,
  ConsignmentStep,
  EmailActivities,
  FindSettlement,
  OperateOnOrder,
  OperationEnd,
  OperationRequest,
  OperationResult,
  OrderActivities,
  OrderOperation,
  OrderSettlement,
  SettlementOutcome,
  OrderProgress,
  OrderRow,
  OrderRowStep,
  OrderGroup,
  OrderState,
  OrderStatus,
  OrderStep,
  ParsedOrderId,
  PaymentActivities,
  PlaceOrder,
  PlaceOrderRequest,
  PlaceOrderResult,
  ResetPoint,
  ShippingActivities,
  SignalName,
  StartConsignment,
  TaskFailure,
  TaskQueue,
  WorkflowStatus,
} from './orders';
export { isTextLine, textLineRule } from './text-line';
export { jobQueueOf, jobQueuePrefix, runJobWorkflow } from './platform/jobs';
export type { JobActivities, JobInput } from './platform/jobs';
export { deliverWorkflow, subscriptionsTaskQueue, wakeSignal } from './subscriptions';
export type { DeliverInput, DeliverOutcome, DeliveredAction, SubscriptionActivities } from './subscriptions';
export type {
  TestCall,
  TestCallMessage,
  TestError,
  TestPlatformMessage,
  TestStartMessage,
} from './platform/test-platform';
