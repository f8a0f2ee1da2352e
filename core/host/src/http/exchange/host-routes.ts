import type {
  OptionalSchema,
  RequestSchema,
  RequestSchemas,
  Route,
  RouteDefinition,
  RouteOptions,
} from '@gantry/plugin-api';
import type { Request } from 'express';
import type { z } from 'zod';
import { onceFor } from '../../common/once-for';
import { expectation } from '../../common/zod-texts';
import type { ChangeAuthor, Identity, Principal, Rights } from '../../identity';
import { compileContract, compileRouteSchemas } from '../../plugins/registration/route-schemas';
import { toRegistered } from '../../plugins/registration/plugin-router';
import type { CompiledRoute } from '../../plugins/record/registered-plugin';
import { answerRoute, serveRoutes, type Audit, type RouteServer, type RunCode } from './answer-route';
import { assertHas, principalOf } from './principal';
import { authorOf, type RequestAuthor } from './record-action';
import type { Routes } from './routes';

/** What handlers of the platform's own routes get besides the request. */
export interface HostCall {
  /** The caller as the author of a change: has the access of the route, also in the transaction of the change. */
  readonly author: RequestAuthor;
  readonly audit: Audit;
}

/** What the platform's own routes ask of a caller besides their access, before they read a body. */
export interface Demand {
  /** Of the rights, also in the transaction of the change. @throws GantryError FORBIDDEN */
  readonly rights?: (rights: Rights) => void;
  /** @throws GantryError FORBIDDEN, CONFLICT */
  readonly caller: (principal: Principal, identity: Pick<Identity, 'isSignInRequired'>) => void;
}

/** A route of the platform. */
export interface HostRoute<Services = unknown> extends Route<Services> {
  readonly demand?: Demand;
}

/** Declares routes of the platform whose handlers need the given services. */
export function routesWith<Services>() {
  return <
    Params extends OptionalSchema = undefined,
    Query extends OptionalSchema = undefined,
    Body extends OptionalSchema = undefined,
    Answer extends OptionalSchema = undefined,
    Meta extends OptionalSchema = undefined,
  >(
    definition: RouteDefinition<Params, Query, Body, Answer, Meta, HostCall, Services> &
      Pick<HostRoute<Services>, 'demand'>,
  ): HostRoute<Services> => definition;
}

type ServedRoute = CompiledRoute & Pick<HostRoute, 'demand'>;

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
    demand?.rights?.(principalOf(request).rights);
    demand?.caller(principalOf(request), identity);
    return { ...plainly, more: { author: authorOf(request, neededRights(access, demand)) } };
  };
  const server = { readJson, record, open };
  // Schemas are compiled when a route is first asked for: at the start they would take a tenth of a second.
  const served = onceFor((route: HostRoute<Services>): ServedRoute => ({
    ...compileHostRoute(route),
    handler: (call) => route.handler(call as never, services),
    ...(route.demand === undefined ? {} : { demand: route.demand }),
  }));
  return serveRoutes(routes, (route, request, response) => answerRoute(served(route), server, request, response));
}

/** @throws Error for a schema that does not fit its route */
export const compileHostRoute = onceFor((route: Route<never>): CompiledRoute => {
  const registered = toRegistered(route);
  const { method, path, options } = registered;
  const { schemas, problems } = compileRouteSchemas(method, path, withExpectations(options));
  if (problems.length > 0) throw new Error(`${method} ${path}: ${problems.join(', ')}`);
  return { ...registered, schemas, contract: compileContract(route) };
});

/** Problems of values say which value is expected. */
function withExpectations(options: RouteOptions): RouteOptions {
  const schemas = Object.entries(options.schemas ?? {}).map(([part, schema]) => {
    const { jsonSchema } = (schema as RequestSchema)['~standard'];
    const validate = (value: unknown) => {
      const { success, data, error } = (schema as z.ZodType).safeParse(value, { error: expectation });
      return success ? { value: data } : { issues: error.issues };
    };
    return [part, { '~standard': { version: 1, vendor: 'zod', jsonSchema, validate } }];
  });
  return { ...options, schemas: Object.fromEntries(schemas) as RequestSchemas };
}

const plainly = {
  run: <T>(code: () => T): T => code(),
  call: <T>(code: () => Promise<T>): Promise<T> => code(),
};

/** What the rights of the caller have to be still in the transaction of a change. */
function neededRights(access: RouteOptions['access'], demand: Demand | undefined): ChangeAuthor['needs'] {
  if (typeof access !== 'object') return demand?.rights;
  return (rights) => {
    assertHas(rights, access.permission);
    demand?.rights?.(rights);
  };
}
