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
import type { Rights } from '../../identity';
import { compileContract, compileRouteSchemas } from '../../plugins/registration/route-schemas';
import { toRegistered } from '../../plugins/registration/plugin-router';
import type { CompiledRoute } from '../../plugins/record/registered-plugin';
import { answerRoute, serveRoutes, type Audit, type RouteServer, type RunCode } from './answer-route';
import { assertHas } from './principal';
import { authorOf, type RequestAuthor } from './record-action';
import type { Routes } from './routes';

/** What handlers of the platform's own routes get besides the request. */
export interface HostCall {
  /** The caller as the author of a change: has the access of the route, also in the transaction of the change. */
  readonly author: RequestAuthor;
  readonly audit: Audit;
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
    definition: RouteDefinition<Params, Query, Body, Answer, Meta, HostCall, Services>,
  ): Route<Services> => definition;
}

/** What the platform's own routes are served with. */
export type HostRouteServer = Pick<RouteServer<CompiledRoute>, 'readJson' | 'record'>;

/** Serves routes of the platform. */
export function hostRoutes<Services>(
  routes: readonly Route<Services>[],
  services: Services,
  { readJson, record }: HostRouteServer,
): Routes {
  const open = (route: CompiledRoute, request: Request): RunCode => ({ ...plainly, more: hostCall(route, request) });
  const server = { readJson, record, open };
  // Schemas are compiled when a route is first asked for: at the start they would take a tenth of a second.
  const served = onceFor((route: Route<Services>): CompiledRoute => ({
    ...compileHostRoute(route),
    handler: (call) => route.handler(call as never, services),
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

function hostCall({ options: { access } }: CompiledRoute, request: Request): Pick<HostCall, 'author'> {
  const needs = typeof access === 'object' ? (rights: Rights) => assertHas(rights, access.permission) : undefined;
  return { author: authorOf(request, needs) };
}
