import type { Failure, ItemAction } from '@gantry/contracts';
import {
  type AnswerStreams,
  type Logger,
  type OptionalAnswer,
  type OptionalSchema,
  type RequestSchema,
  type RequestSchemas,
  type Route,
  type RouteAccess,
  type RouteDefinition,
  type RouteStatus,
  type StreamedBody,
} from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { onceFor, expectation } from '@gantry/core-common';
import type { Precondition } from '@gantry/core-content';
import type { ChangeAuthor } from '../ports/audit-sink';
import type { Principal, SignInMode } from '../ports/authenticator';
import type { Rights } from '../ports/rights';
import {
  compileContract,
  compileRouteSchemas,
  describeEach,
  documentationProblems,
  keyProblems,
  limitProblems,
  toRegistered,
  type CompiledRoute,
  type RegisteredOptions,
} from '@gantry/core-loader';
import { parsePrecondition } from './input/preconditions';
import { answerRoute, callerAndSignal, serveRoutes, type Audit, type RouteServer, type RunCode } from './answer-route';
import { clientOf, type Client } from './caller/client-address';
import { assertHas, principalOf } from './caller/principal';
import { failureOf, logFault, toProblem } from './answer/problem';
import { authorOf, type RequestAuthor } from './caller/record-action';
import { createRouteLimits } from './route-limits';
import type { Routes } from './routes';
import { holderOf } from './shared-resource';

/** Arguments of handlers of the platform's own routes, besides the request. */
export interface HostCall {
  /** The caller as the author of a change: has the access of the route, also in the transaction of the change. */
  readonly author: RequestAuthor;
  /** The precondition of the request. @throws GantryError BAD_REQUEST */
  readonly precondition: () => Precondition;
  readonly client: Client;
  readonly audit: Audit;
  /** By whom shares of what the platform has are held. */
  readonly holder: string;
  /** Whether the client names the media type in `Accept`. */
  readonly accepts: (mediaType: string) => boolean;
  /** From here on, the connection does not count as idle: the handler waits for something else than its client. */
  readonly keepOpen: () => void;
  /** Closes the connection of a client that does not take what is sent. */
  readonly onStalled: () => void;
  /** The error as the platform answers it, for a stream that has begun; a fault is logged. */
  readonly failureOf: (error: unknown, logger: Logger) => Failure;
}

/** Arguments of handlers of the platform's own public routes, besides the request. */
export interface PublicCall {
  readonly client: Client;
  readonly audit: Audit;
}

/** Demands of the platform's own routes on a caller besides their access, before they read a body. */
export interface Demand {
  /** Of the rights, also in the transaction of the change. @throws GantryError FORBIDDEN */
  readonly rights?: (rights: Rights) => void;
  /** Of the platform. @throws GantryError CONFLICT */
  readonly mode?: (identity: SignInMode) => void;
  /** @throws GantryError FORBIDDEN */
  readonly caller?: (principal: Principal) => void;
}

/** A route of the platform. */
export interface HostRoute<Services = unknown> extends Route<Services> {
  readonly demand?: Demand;
  /** The request may say which version of the item it expects or has already (`If-Match`, `If-None-Match`). */
  readonly precondition?: 'read' | 'write';
  /** Name of the schema of the whole answer in the document, with its envelope, where the item type decides it. */
  readonly envelope?: '{Type}RowEnvelope' | '{Type}ListEnvelope';
  /** Headers of successful answers, by their names in the document. */
  readonly headers?: readonly ('ETag' | 'Location')[];
  /** The numbers of the body have all digits that were sent. */
  readonly keepsNumbers?: true;
  /**
   * The path names an item type: OpenAPI describes the route for each type, or each that is written, with the name of the class at the end
   * of the operationId, and in names of schemas in place of `{Type}`.
   */
  readonly ofType?: 'every' | 'written';
  /** The code for a body that does not conform; VALIDATION_FAILED unless given. */
  readonly refusal?: 'BAD_REQUEST';
  /** Descriptions of an uploaded file, by media type. */
  readonly formats?: Readonly<Record<string, z.ZodType>>;
  /** Bytes of an uploaded file at most, in place of the limit that `upload` has. */
  readonly uploadLimit?: (services: Services) => number;
  /** The effect on items of the type in the path; a type that is only read does not offer the route. */
  readonly action?: ItemAction;
  /** The parameters of the query are those of another specification; the handler reads them from the address of the client. */
  readonly hasForeignQuery?: true;
}

type Described = 'precondition' | 'envelope' | 'headers' | 'keepsNumbers' | 'ofType' | 'action' | 'refusal' | 'formats';

/** Declares routes of the platform whose handlers need the given services. */
export function routesWith<Services>() {
  return <
    Params extends OptionalSchema = undefined,
    Query extends OptionalSchema = undefined,
    Body extends OptionalSchema = undefined,
    Answer extends OptionalAnswer = undefined,
    Meta extends OptionalSchema = undefined,
    Access extends RouteAccess = RouteAccess,
    Status extends RouteStatus | undefined = undefined,
    Upload extends StreamedBody | undefined = undefined,
    Streams extends AnswerStreams | undefined = undefined,
    Path extends string = string,
  >(
    definition: RouteDefinition<
      Params,
      Query,
      Body,
      Answer,
      Meta,
      Access,
      Status,
      Upload,
      CallWith<Access>,
      Services,
      Streams,
      Path
    > &
      Pick<HostRoute<Services>, 'demand' | 'hasForeignQuery' | 'uploadLimit' | Described>,
  ): HostRoute<Services> => definition;
}

type CallWith<Access> = Access extends 'public' ? PublicCall : HostCall;

/** A route that is served. */
export type ServedRoute = CompiledRoute & Pick<HostRoute, 'demand' | 'hasForeignQuery' | 'action'>;

/** The server of the platform's own routes. */
export interface HostRouteServer extends Pick<
  RouteServer<CompiledRoute>,
  'readJson' | 'record' | 'draining' | 'answered'
> {
  readonly identity: SignInMode;
}

/** Serves routes of the platform. */
export function hostRoutes<Services>(
  routes: readonly HostRoute<Services>[],
  services: Services,
  { readJson, record, draining, answered, identity }: HostRouteServer,
): Routes {
  const open = (route: ServedRoute, request: Request, response: Response): RunCode => {
    const { options, demand } = route;
    const { access } = options;
    demand?.mode?.(identity);
    const { signal, caller } = callerAndSignal(route, request, response, plainly.run);
    const usual = { client: clientOf(request), signal, caller };
    if (access === 'public') return { ...plainly, signal, more: usual };
    demand?.rights?.(principalOf(request).rights);
    demand?.caller?.(principalOf(request));
    return { ...plainly, signal, more: { ...usual, ...callOf(route, request, response) } };
  };
  return serveDeclared(routes, services, { readJson, record, draining, answered, open });
}

/** Serves routes that are declared with their contracts. @param offers whether `Allow` names a route at the path of a request */
export function serveDeclared<Services>(
  routes: readonly HostRoute<Services>[],
  services: Services,
  parts: Omit<RouteServer<ServedRoute>, 'limitOf'>,
  offers?: (route: HostRoute<Services>, request: Request) => boolean,
): Routes {
  const server = { ...parts, limitOf: createRouteLimits() };
  // Schemas are compiled when a route is first asked for: at the start they would take a tenth of a second.
  const served = onceFor((route: HostRoute<Services>): ServedRoute => ({
    ...withLimit(compileHostRoute(route), route.uploadLimit?.(services)),
    handler: (call) => route.handler(call as never, services),
    ...(route.demand === undefined ? {} : { demand: route.demand }),
    ...(route.hasForeignQuery === undefined ? {} : { hasForeignQuery: true }),
    ...(route.action === undefined ? {} : { action: route.action }),
  }));
  return serveRoutes(
    routes,
    (route, request, response) => answerRoute(served(route), server, request, response),
    offers,
  );
}

function withLimit(route: CompiledRoute, limit: number | undefined): CompiledRoute {
  const { body } = route.options;
  if (limit === undefined || typeof body !== 'object') return route;
  return { ...route, options: { ...route.options, body: { ...body, limit } } };
}

/** Further arguments of a handler. */
export function callOf(
  { options, demand }: ServedRoute,
  request: Request,
  response: Response,
): Omit<HostCall, 'client' | 'audit'> {
  return {
    author: authorOf(request, neededRights(options.access, demand)),
    precondition: () => parsePrecondition(request.headers),
    holder: holderOf(request),
    accepts: (mediaType) => (request.headers.accept ?? '').toLowerCase().includes(mediaType),
    // Node sets the timeout of the connection again with its next request.
    keepOpen: () => void request.socket.setTimeout(0),
    onStalled: () => void response.destroy(),
    failureOf(error, logger) {
      logFault(logger, request, error);
      return failureOf(request, toProblem(error));
    },
  };
}

/** @throws Error for a schema that does not fit its route */
export const compileHostRoute = onceFor((route: Route<never> & Pick<HostRoute, Described>): CompiledRoute => {
  const registered = toRegistered(route);
  const { method, path, options } = registered;
  const { schemas, problems: wrong } = compileRouteSchemas(method, path, withExpectations(options));
  const problems = [...wrong, ...limitProblems(route), ...keyProblems(route), ...documentationProblems(route)];
  if (problems.length > 0) throw new Error(`${method} ${path}: ${problems.join(', ')}`);
  const { precondition, envelope, headers, keepsNumbers, ofType, action, refusal } = route;
  const formats = route.formats === undefined ? undefined : describeEach(route.formats);
  const described = { precondition, envelope, headers, keepsNumbers, ofType, action, refusal, formats };
  const { statuses, ...contract } = compileContract(route);
  const all = precondition === 'read' ? { ...statuses, 304: 'The item has the version of If-None-Match.' } : statuses;
  return { ...registered, schemas, contract: { ...contract, ...described, statuses: all } };
});

/** Problems of values say which value is expected, and parameters keep the defaults that zod leaves out where it makes another value of a text. */
function withExpectations(options: RegisteredOptions): RegisteredOptions {
  const schemas = Object.entries(options.schemas ?? {}).map(([part, schema]) => {
    const standard = (schema as RequestSchema)['~standard'];
    const input = (wanted: object) =>
      standard.jsonSchema.input({ ...wanted, libraryOptions: { override: keepDefault } } as never);
    const validate = (value: unknown) => {
      // With texts for problems it takes a multiple of the time, and nearly all values conform.
      const { success, data } = (schema as z.ZodType).safeParse(value);
      if (success) return { value: data };
      return { issues: (schema as z.ZodType).safeParse(value, { error: expectation }).error?.issues ?? [] };
    };
    return [part, { '~standard': { version: 1, vendor: 'zod', jsonSchema: { input }, validate } }];
  });
  return { ...options, schemas: Object.fromEntries(schemas) as RequestSchemas };
}

function keepDefault({ zodSchema, jsonSchema }: Overridden): void {
  const { default: value } = z.globalRegistry.get(zodSchema) ?? {};
  if (value !== undefined) jsonSchema.default = value;
}

type Overridden = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** Runs the code of the platform as it is. */
export const plainly = {
  run: <T>(code: () => T): T => code(),
  call: <T>(code: () => Promise<T>): Promise<T> => code(),
};

/** Rights that the caller must still have in the transaction of a change. */
function neededRights(access: RegisteredOptions['access'], demand: Demand | undefined): ChangeAuthor['needs'] {
  if (typeof access !== 'object') return demand?.rights;
  return (rights) => {
    assertHas(rights, access.permission);
    demand?.rights?.(rights);
  };
}
