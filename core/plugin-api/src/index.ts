export { asCaller, signedInName } from './as-caller';
export type { Caller } from './caller';
export { BaseItem } from './base-item';
export type { ItemId } from './base-item';
export { CatalogAwareItem } from './catalog-aware-item';
export { convertTextToDate, convertToFieldKind } from './convert-column';
export type { TextColumn } from './convert-column';
export { definePlugin, isPluginDefinition } from './define-plugin';
export type {
  ConfigParser,
  Migration,
  MigrationContext,
  PluginDefinition,
  PluginHealth,
  PluginHealthPart,
  ServiceDefinition,
  SubscriptionContext,
  SubscriptionDefinition,
} from './define-plugin';
export { GantryError, invalidParameter, invalidValue, isGantryError } from './errors';
export type { GantryErrorOptions } from './errors';
export { Field } from './field';
export type { ConditionValue, FieldCondition, FieldWidth, TextFormat } from '@gantry/contracts';
export {
  accepted,
  arrayText,
  checkStorable,
  commonOperators,
  defineFieldKind,
  emptyWhere,
  escapePattern,
  exactNumberText,
  isBlankText,
  isFieldKind,
  normalizeSearch,
  normalizeText,
  orderedOperators,
  plainKind,
  readTextList,
  refused,
  refusedWithin,
  rowSchemaOf,
  textOperators,
} from './field-kinds';
export type {
  BoundOperand,
  DefinedFieldKind,
  FieldKind,
  FieldKindDefinition,
  FieldLinks,
  FieldReference,
  ItemLink,
  JsonSchema,
  KindDerivation,
  KindDescription,
  KindField,
  KindFileText,
  KindLinks,
  KindOperator,
  KindSearching,
  KindSettings,
  KindStorage,
  LinkTarget,
  ParsedValue,
  RefusedValue,
  StoredValue,
  TextRules,
  ValueProblem,
} from './field-kinds';
export { itemTypeOptions, ownFields } from './item-metadata';
export type {
  Computation,
  DeclaredField,
  FieldOptions,
  FunctionComputation,
  ItemTypeClass,
  AttentionRule,
  ItemTypeOptions,
  PresentedRow,
  SearchResultMapping,
  SqlComputation,
  TargetEntity,
} from './item-metadata';
export { ItemType } from './item-type';
export type { MetricDefinition, MetricValue } from './metric-definition';
export type { MetricLabels, Metrics } from './metrics';
export type {
  Comparison,
  ConfirmedRemoval,
  ExpectedVersion,
  FieldName,
  FieldValue,
  ItemClass,
  ItemCollection,
  ItemCriteria,
  RelatedValue,
  ItemPage,
  ItemStore,
  ItemTransaction,
  ItemValues,
  ListOptions,
  StoredItem,
  UniqueKey,
  UntypedCollection,
  UntypedItem,
} from './items';
export type {
  Database,
  Logger,
  MayReadOptions,
  MountContext,
  MountOptions,
  Platform,
  PluginContext,
  PluginRouter,
  RawHandler,
  RegisterContext,
  RegisterServices,
  RouteHandler,
  RouteOptions,
  RouteResponse,
  ServiceContext,
  Services,
  Temporal,
} from './plugin-context';
export type { Method, RouteRequest, RouteUpload, StreamedBody } from './route-request';
export type { Related } from './related';
export type { Parsed, RequestSchema, RequestSchemas, SchemaIssue, SchemaResult } from './request-schema';
export { route } from './route';
export type {
  AnswerStatus,
  AuditedSubject,
  CallerWith,
  ContentWith,
  Immutable,
  MetaOf,
  OptionalAnswer,
  OptionalSchema,
  RedirectWith,
  RequestParts,
  ResultWithStatus,
  Route,
  RouteAccess,
  RouteCall,
  RouteContent,
  RouteDefinition,
  RouteExample,
  RouteLimits,
  RouteRate,
  RouteResult,
  RouteStatus,
  AnswerStreams,
  ServerEvent,
  StreamPiece,
  StreamResult,
  TextAnswer,
  WholeResult,
  ValueOf,
} from './route';
export type { JobContext, Schedule } from './schedule';
export type { Seed } from './seed';
export type { Settings } from './settings';
export { isServiceToken, serviceToken } from './service-token';
export type { ServiceMethods, ServiceToken } from './service-token';
export {
  signalWithStart,
  startWorkflow,
  type SignalWithStartOptions,
  type StartedWorkflow,
  type StartWorkflowOptions,
} from './start-workflow';
export { callTemporal, isWorkflowNotFound, signalWorkflow } from './temporal-calls';
export type {
  CallTemporalOptions,
  DeadlineClient,
  SignallingClient,
  SignalOutcome,
  SignalWorkflowOptions,
} from './temporal-calls';
export type { RenamedItemType, TypeEvent } from './type-events';
export type { CommittedWrite, HookValues, PendingWrite, WriteDecision, WriteHookDefinition } from './write-hooks';
