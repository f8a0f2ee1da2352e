import {
  GantryError,
  type AnswerStreams,
  type OptionalSchema,
  type RequestSchema,
  type Route,
  type RouteUpload,
  type StreamResult,
} from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { Request, Response } from 'express';
import {
  type CompiledItemType,
  type ItemTypeDescriptor,
  readId,
  assertMay,
  mayDo,
  type Scope,
  type Precondition,
} from '@gantry/core-content';
import type { Principal } from '../ports/authenticator';
import type { RouteContract } from '@gantry/core-loader';
import { callerAndSignal, type RunCode } from '../exchange/answer-route';
import {
  callOf,
  plainly,
  serveDeclared,
  type HostCall,
  type HostRoute,
  type HostRouteServer,
  type ServedRoute,
} from '../exchange/host-routes';
import { parseIfMatch, parsePrecondition } from '../exchange/input/preconditions';
import { principalOf } from '../exchange/caller/principal';
import { requestIdOf } from '../exchange/request-context';
import type { FindServedType } from '../exchange/caller/request-scope';
import type { Routes } from '../exchange/routes';

/** Arguments of a handler of a route at the path of an item type. */
export interface ItemCall<
  Params extends OptionalSchema,
  Query extends OptionalSchema = undefined,
  Body extends OptionalSchema = undefined,
> extends StreamingCall {
  readonly params: OutputOf<Params>;
  readonly query: OutputOf<Query>;
  readonly body: OutputOf<Body>;
  readonly upload?: RouteUpload;
  readonly scope: Scope;
  readonly type: CompiledItemType;
  /** The precondition of the request. @throws GantryError BAD_REQUEST */
  readonly precondition: () => Precondition;
}

/** Arguments of handlers of routes that stream: others need none of them, and would pay for them. */
interface StreamingCall extends Pick<
  HostCall,
  'author' | 'holder' | 'accepts' | 'keepOpen' | 'onStalled' | 'failureOf'
> {
  readonly signal: AbortSignal;
}

type OutputOf<Schema> = Schema extends RequestSchema<infer Output> ? Output : undefined;

/** The result: `data` as JSON text, with the version of the item for its ETag, or a stream of the whole answer. */
export type ItemAnswer =
  | {
      readonly json?: string;
      readonly meta?: object | undefined;
      readonly version?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | StreamResult<string>;

interface ItemRouteDefinition<
  Services,
  Params extends OptionalSchema,
  Query extends OptionalSchema,
  Body extends OptionalSchema,
>
  extends
    Pick<
      Route,
      | 'method'
      | 'operationId'
      | 'summary'
      | 'description'
      | 'access'
      | 'errors'
      | 'answer'
      | 'meta'
      | 'status'
      | 'idempotency'
      | 'limits'
      | 'upload'
    >,
    Pick<
      HostRoute<Services>,
      | 'action'
      | 'precondition'
      | 'envelope'
      | 'headers'
      | 'keepsNumbers'
      | 'refusal'
      | 'ofType'
      | 'formats'
      | 'uploadLimit'
    > {
  readonly path: `/api/cms/${string}/:type${string}`;
  readonly params: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly streams?: AnswerStreams;
  readonly handler: (call: ItemCall<Params, Query, Body>, services: Services) => Promise<ItemAnswer>;
}

/** Declares routes at the path of an item type, whose handlers need the given services. Each is described once for every type. */
export function itemRoutesWith<Services>() {
  return <
    Params extends OptionalSchema,
    Query extends OptionalSchema = undefined,
    Body extends OptionalSchema = undefined,
  >(
    definition: ItemRouteDefinition<Services, Params, Query, Body>,
  ): HostRoute<Services> => ({ ofType: definition.action === undefined ? 'every' : 'written', ...definition });
}

/** The look-up of the type of a request. */
export interface TypeServices {
  readonly scopeOf: (principal: Principal, requestId: string) => Scope;
  readonly findType: FindServedType;
}

/**
 * Serves routes at the path of an item type. A request without the right to what it does is refused before its body is read; repository
 * and writer enforce the policy.
 */
export function serveItemRoutes<Services extends TypeServices>(
  routes: readonly HostRoute<Services>[],
  services: Services,
  { identity: _identity, ...server }: HostRouteServer,
): Routes {
  const typeOf = (request: Request) => {
    const scope = services.scopeOf(principalOf(request), requestIdOf(request));
    return { scope, type: services.findType(scope, String(request.params['type'])) };
  };
  const open = (route: ServedRoute, request: Request, response: Response): RunCode => {
    const { scope, type } = typeOf(request);
    const { action, contract } = route;
    if (action !== undefined) assertMay(scope, action, type);
    const precondition = (): Precondition => preconditionOf(contract?.precondition, request);
    const more = { scope, type, precondition };
    // Members are named, as copies of objects take long.
    if (contract?.streams === undefined) return { run: plainly.run, call: plainly.call, more };
    const { signal } = callerAndSignal(route, request, response, plainly.run);
    return { ...plainly, signal, more: { ...callOf(route, request, response), ...more, signal } };
  };
  return serveDeclared(routes, services, { ...server, open }, ({ action }, request) => {
    const { scope, type } = typeOf(request);
    return action === undefined || mayDo(scope, action, type);
  });
}

/** The id of an item in a path. @throws GantryError ITEM_NOT_FOUND */
export function parseItemId(type: ItemTypeDescriptor, text: string): string {
  const id = readId(text);
  if (id.ok) return id.value;
  throw new GantryError(
    'ITEM_NOT_FOUND',
    `${type.displayName} not found: ${truncate(text)} is not an id; ids are whole numbers from 1.`,
  );
}

function preconditionOf(kind: RouteContract['precondition'], { headers }: Request): Precondition {
  return kind === 'write' ? parsePrecondition(headers) : { expected: parseIfMatch(headers['if-match']) };
}
