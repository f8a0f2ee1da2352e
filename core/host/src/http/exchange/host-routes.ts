import type {
  OptionalAnswer,
  OptionalSchema,
  RequestSchema,
  RequestSchemas,
  Route,
  RouteAccess,
  RouteDefinition,
  RouteStatus,
  StreamedBody,
} from '@gantry/plugin-api';
import type { Request } from 'express';
import { z } from 'zod';
import { onceFor } from '../../common/once-for';
import { expectation } from '../../common/zod-texts';
import type { Precondition } from '../../content/write/precondition';
import type { ChangeAuthor, Identity, Principal, Rights } from '../../identity';
import { compileContract, compileRouteSchemas } from '../../plugins/registration/route-schemas';
import { limitProblems, toRegistered } from '../../plugins/registration/plugin-router';
import type { CompiledRoute, RegisteredOptions } from '../../plugins/record/registered-plugin';
import { parsePrecondition } from './preconditions';
import { answerRoute, serveRoutes, type Audit, type RouteServer, type RunCode } from './answer-route';
import { clientOf, type Client } from './client-address';
import { assertHas, principalOf } from './principal';
import { authorOf, type RequestAuthor } from './record-action';
import { createRouteLimits } from './route-limits';
import type { Routes } from './routes';

/** What handlers of the platform's own routes get besides the request. */
export interface HostCall {
  /** The caller as the author of a change: has the access of the route, also in the transaction of the change. */
  readonly author: RequestAuthor;
  /** What the request expects of the item. @throws GantryError BAD_REQUEST */
  readonly precondition: () => Precondition;
  readonly client: Client;
  readonly audit: Audit;
}

/** What handlers of the platform's own public routes get besides the request. */
export interface PublicCall {
  readonly client: Client;
  readonly audit: Audit;
}

/** What the platform's own routes ask of a caller besides their access, before they read a body. */
export interface Demand {
  /** Of the rights, also in the transaction of the change. @throws GantryError FORBIDDEN */
  readonly rights?: (rights: Rights) => void;
  /** Of the platform. @throws GantryError CONFLICT */
  readonly mode?: (identity: Pick<Identity, 'isSignInRequired'>) => void;
  /** @throws GantryError FORBIDDEN */
  readonly caller?: (principal: Principal) => void;
}

/** A route of the platform. */
export interface HostRoute<Services = unknown> extends Route<Services> {
  readonly demand?: Demand;
  /** Of the operation in OpenAPI; `platform` unless given. */
  readonly tag?: 'history';
  /** The request may say which version of the item it expects (`If-Match`). */
  readonly precondition?: true;
  /** The numbers of the body have all digits that were sent. */
  readonly keepsNumbers?: true;
  /** The parameters of the query are those of another specification; the handler reads them from the address of the client. */
  readonly hasForeignQuery?: true;
}

type Described = 'tag' | 'precondition' | 'keepsNumbers';

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
  >(
    definition: RouteDefinition<Params, Query, Body, Answer, Meta, Access, Status, Upload, CallWith<Access>, Services> &
      Pick<HostRoute<Services>, 'demand' | 'hasForeignQuery' | Described>,
  ): HostRoute<Services> => definition;
}

type CallWith<Access> = Access extends 'public' ? PublicCall : HostCall;

type ServedRoute = CompiledRoute & Pick<HostRoute, 'demand' | 'hasForeignQuery'>;

/** What the platform's own routes are served with. */
export interface HostRouteServer extends Pick<RouteServer<CompiledRoute>, 'readJson' | 'record'> {
  readonly identity: Pick<Identity, 'isSignInRequired'>;
}

/** Serves routes of the platform. */
export function hostRoutes<Services>(
  routes: readonly HostRoute<Services>[],
  services: Services,
  { readJson, record, identity }: HostRouteServer,
): Routes {
  const open = ({ options: { access }, demand }: ServedRoute, request: Request): RunCode => {
    demand?.mode?.(identity);
    const client = clientOf(request);
    if (access === 'public') return { ...plainly, more: { client } };
    demand?.rights?.(principalOf(request).rights);
    demand?.caller?.(principalOf(request));
    const author = authorOf(request, neededRights(access, demand));
    return { ...plainly, more: { client, author, precondition: () => parsePrecondition(request.headers) } };
  };
  const server = { readJson, record, open, limitOf: createRouteLimits() };
  // Schemas are compiled when a route is first asked for: at the start they would take a tenth of a second.
  const served = onceFor((route: HostRoute<Services>): ServedRoute => ({
    ...compileHostRoute(route),
    handler: (call) => route.handler(call as never, services),
    ...(route.demand === undefined ? {} : { demand: route.demand }),
    ...(route.hasForeignQuery === undefined ? {} : { hasForeignQuery: true }),
  }));
  return serveRoutes(routes, (route, request, response) => answerRoute(served(route), server, request, response));
}

/** @throws Error for a schema that does not fit its route */
export const compileHostRoute = onceFor((route: Route<never> & Pick<HostRoute, Described>): CompiledRoute => {
  const registered = toRegistered(route);
  const { method, path, options } = registered;
  const { schemas, problems: wrong } = compileRouteSchemas(method, path, withExpectations(options));
  const problems = [...wrong, ...limitProblems(route)];
  if (problems.length > 0) throw new Error(`${method} ${path}: ${problems.join(', ')}`);
  const { tag, precondition, keepsNumbers } = route;
  return { ...registered, schemas, contract: { ...compileContract(route), tag, precondition, keepsNumbers } };
});

/** Problems of values say which value is expected, and parameters keep the defaults that zod leaves out where it makes another value of a text. */
function withExpectations(options: RegisteredOptions): RegisteredOptions {
  const schemas = Object.entries(options.schemas ?? {}).map(([part, schema]) => {
    const standard = (schema as RequestSchema)['~standard'];
    const input = (wanted: object) =>
      standard.jsonSchema.input({ ...wanted, libraryOptions: { override: keepDefault } } as never);
    const validate = (value: unknown) => {
      const { success, data, error } = (schema as z.ZodType).safeParse(value, { error: expectation });
      return success ? { value: data } : { issues: error.issues };
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

const plainly = {
  run: <T>(code: () => T): T => code(),
  call: <T>(code: () => Promise<T>): Promise<T> => code(),
};

/** What the rights of the caller have to be still in the transaction of a change. */
function neededRights(access: RegisteredOptions['access'], demand: Demand | undefined): ChangeAuthor['needs'] {
  if (typeof access !== 'object') return demand?.rights;
  return (rights) => {
    assertHas(rights, access.permission);
    demand?.rights?.(rights);
  };
}
