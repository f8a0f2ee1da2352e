export { asCaller, signedInName } from './routes/as-caller';
export type { Caller } from './routes/caller';
export { BaseItem } from './items/base-item';
export type { ItemId } from './items/base-item';
export { CatalogAwareItem } from './items/catalog-aware-item';
export { convertTextToDate, convertToFieldKind } from './items/convert-column';
export type { TextColumn } from './items/convert-column';
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
export type { ExtraFields, ExtraFieldsClass, NamedExtraFields } from './items/extra-fields';
export { Field } from './items/field';
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
export { itemTypeOptions, ownFields } from './items/item-metadata';
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
} from './items/item-metadata';
export { ItemType } from './items/item-type';
export type { MetricDefinition, MetricValue } from './metric-definition';
export type { MetricLabels, Metrics } from './metrics';
export type {
  Comparison,
  ConfirmedRemoval,
  ExpectedVersion,
  FieldName,
  FieldValue,
  ItemClass,
  ExtendedCollection,
  ItemCollection,
  ItemCriteria,
  RelatedValue,
  ItemPage,
  ItemStore,
  ItemTransaction,
  ItemValues,
  NewItem,
  RequiredField,
  SortableField,
  SortableValue,
  ListOptions,
  StoredItem,
  UniqueKey,
  UntypedCollection,
  UntypedItem,
} from './items/items';
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
export type { Method, RouteRequest, RouteUpload, StreamedBody } from './routes/route-request';
export type { Related } from './items/related';
export type { Parsed, RequestSchema, RequestSchemas, SchemaIssue, SchemaResult } from './routes/request-schema';
export { route } from './routes/route';
export type {
  AnswerStatus,
  AuditedSubject,
  CallerWith,
  ContentWith,
  Immutable,
  MetaOf,
  OptionalAnswer,
  OptionalSchema,
  ParametersOf,
  PathParameter,
  PathSchema,
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
} from './routes/route';
export type { JobContext, Schedule } from './temporal/schedule';
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
} from './temporal/start-workflow';
export { callTemporal, isWorkflowNotFound, signalWorkflow } from './temporal/temporal-calls';
export type {
  CallTemporalOptions,
  DeadlineClient,
  SignallingClient,
  SignalOutcome,
  SignalWorkflowOptions,
} from './temporal/temporal-calls';
export type { RenamedItemType, TypeEvent } from './items/type-events';
export type {
  CommittedWrite,
  HookValues,
  PendingWrite,
  RequestValue,
  WriteDecision,
  WriteHookDefinition,
} from './items/write-hooks';
