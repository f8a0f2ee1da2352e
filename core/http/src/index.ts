export { Counter, Gauge } from 'prom-client';
export type { Registry } from 'prom-client';
export { createApp } from './app';
export type { Audit } from './exchange/answer-route';
export { countingProofs, createAttemptLimit, takeBack } from './exchange/attempt-limit';
export type { AttemptLimit, CountedAttempt } from './exchange/attempt-limit';
export { createJsonReader } from './exchange/input/body';
export { callRoute } from './exchange/call-route';
export { callerOf, principalOfCaller } from './exchange/caller/callers';
export { clientAddress } from './exchange/caller/client-address';
export type { Client } from './exchange/caller/client-address';
export { isForwarded } from './exchange/caller/forwarded';
export { attentionEntries } from './platform/attention';
export { createHidePaths } from './exchange/answer/hide-paths';
export type { HidePaths } from './exchange/answer/hide-paths';
export { compileHostRoute, hostRoutes, routesWith } from './exchange/host-routes';
export type { Demand, HostCall, HostRoute } from './exchange/host-routes';
export { isLoopbackAddress } from './exchange/caller/loopback';
export { mayUse } from './exchange/caller/may-use';
export { parseBody } from './exchange/input/parse-body';
/** Plugins, as the kernel shows them to modules. */
export type { RegisteredPlugin } from '@gantry/core-loader';
export { oneOf, parsedBy } from './exchange/input/parsed-by';
export { createPieceQueue } from './exchange/answer/piece-queue';
export {
  assertIsAdministrator,
  assertLasting,
  findPrincipal,
  setPrincipal,
  unauthenticated,
} from './exchange/caller/principal';
export { toProblem } from './exchange/answer/problem';
export { recordAnonymousRefusal, recordRefusal } from './exchange/caller/record-action';
export type { RequestAuthor } from './exchange/caller/record-action';
export { requestIdOf } from './exchange/request-context';
export type { FindServedType, ScopeOf } from './exchange/caller/request-scope';
export type { Routes } from './exchange/routes';
export { notConforming } from './exchange/input/schema-issues';
export { SecondFactorRequired } from './exchange/caller/second-factor-required';
export { eventStream, eventText } from './exchange/answer/send-stream';
export { createSharedResource, sharedResources, thisMachine } from './exchange/shared-resource';
export type { Holding } from './exchange/shared-resource';
export { parseText } from './exchange/input/text-parameter';
export { createHttpMessages } from './http-messages';
export { createAnsweredRequests } from './idempotency/answered-requests';
export { parseItemId } from './items/item-route';
export { itemRoutesWith, serveItemRoutes } from './items/item-route';
export type { TypeServices } from './items/item-route';
export { itemRoutes } from './items/item-routes';
export { itemId, itemPath, listSearchText, typePath } from './items/item-schemas';
export { allTypesRoutes, typeRoutes } from './items/type-routes';
export { createOpenApiDocument } from './openapi/create-openapi-document';
export { documentRoutes } from './platform/document-routes';
export { kernelPermissions } from './platform/health-routes';
export { pluginSetCheck } from './platform/health';
export type { HostPhase } from './platform/health';
export { createMetrics } from './platform/metrics';
export { createPluginMetrics } from './platform/plugin-metrics';
export type { PluginMetrics } from './platform/plugin-metrics';
export { viewsFor } from './platform/contributed-routes';
export { platformRoutes } from './platform/platform-routes';
export { createFindServedType } from './plugins/served-types';
export { composeApp } from './serve/compose-app';
export type { AppOptions } from './serve/compose-app';
export { compileRoutes } from './serve/declared-routes';
export { callsOfModule } from './serve/module-calls';
export { openModules } from './serve/open-modules';
export type { Modules } from './serve/open-modules';
export { listen } from './server';
export type { HttpServer, ListenTarget } from './server';
export { createStartingHandler } from './starting';
export { warmUp } from './warm-up';
export { addressKey, permission, PresenceRequired, presentMinutes, publicRole } from './ports';
export type {
  AccountsPort,
  AuditEntry,
  AuditSink,
  AuditedChange,
  ChangeAuthor,
  HealthPart,
  Principal,
  Rights,
} from './ports';
export type { AuthenticatedPaths, Kernel, Module, ModuleService } from './module';
export { createPolicies, scopeOfPrincipal } from './policies';
export type { Policies } from './policies';
