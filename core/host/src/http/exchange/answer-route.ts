import type { RouteRequest, RouteResponse } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { withPlainNumbers } from '../../common/json';
import { callerOf } from '../../identity';
import type { CompiledRoute } from '../../plugins/record/registered-plugin';
import type { ReadJson } from './body';
import { callRoute } from './call-route';
import { assertAllowed, markPresence, principalOf } from './principal';
import { parseQuery } from './query';
import type { Audited } from './record-action';
import { requestIdOf } from './request-context';
import { methodNotAllowed, type Routes } from './routes';
import { sendData } from './send';
import { openUpload } from './upload';

/** What serves routes, besides the routes themselves. */
export interface RouteServer<Route extends CompiledRoute> {
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: Request, entry: Audited) => Promise<void>;
  /** What runs the code of a route for one request: its handler, and what makes JSON of its answer. */
  readonly open: (route: Route, request: Request, response: Response) => RunCode;
}

export interface RunCode {
  /** For code that answers at once. */
  readonly run: <T>(code: () => T) => T;
  /** For the handler. */
  readonly call: <T>(code: () => Promise<T>) => Promise<T>;
  /** What the handler gets besides the request. */
  readonly more?: object;
}

/** Serves routes by their contracts. The paths answer any other method with 405. */
export function serveRoutes<Route extends Pick<CompiledRoute, 'method' | 'path'>>(
  routes: readonly Route[],
  answering: (route: Route, request: Request, response: Response) => Promise<void>,
): Routes {
  return (app) => {
    for (const route of routes) {
      const method = route.method.toLowerCase() as Lowercase<Route['method']>;
      app[method](route.path, (request, response) => answering(route, request, response));
    }
    // After all routes, as the path of one may also fit the pattern of another.
    for (const [path, methods] of methodsByPath(routes)) app.all(path, methodNotAllowed(methods));
  };
}

/** For every path the methods that routes offer at it, as `Allow` names them. */
function methodsByPath(routes: readonly Pick<CompiledRoute, 'method' | 'path'>[]): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const { path, method } of routes) {
    const more = method === 'GET' ? 'GET, HEAD' : method;
    const known = byPath.get(path);
    byPath.set(path, known === undefined ? more : `${known}, ${more}`);
  }
  return byPath;
}

/**
 * Answers a request to a route in the envelope.
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN, BAD_REQUEST, VALIDATION_FAILED, PresenceRequired, and what the handler throws
 */
export async function answerRoute<Route extends CompiledRoute>(
  route: Route,
  { readJson, record, open }: RouteServer<Route>,
  request: Request,
  response: Response,
): Promise<void> {
  if (route.contract?.presence === true) markPresence(request);
  assertAllowed(request, route.options.access);
  const query = parseQuery(request, queryNames(route));
  const { run, call, more } = open(route, request, response);
  const content = await contentOf(route, readJson, request, response);
  const gone = new AbortController();
  response.once('close', () => run(() => gone.abort(new Error('The client closed the connection.'))));
  const auditing = createAuditing(route, (entry) => record(request, entry));
  const given = {
    ...{ params: request.params as Readonly<Record<string, string>>, query, ...content },
    ...{ caller: callerOf(principalOf(request)), requestId: requestIdOf(request), signal: gone.signal },
    ...{ audit: auditing.audit, ...more },
  };
  const result: RouteAnswer = await call(() => callRoute(route, given));
  auditing.assertDone();
  // Getters and toJSON of the answer are code of the route.
  present(response, route, result, (data) => run(() => JSON.stringify(data)));
}

/** Of both forms of routes. */
interface RouteAnswer extends RouteResponse {
  readonly json?: string;
}

/** Notes a request in the audit log. @param record that of the transaction of the change, so that it is noted with it */
export type Audit = (entry: Omit<Audited, 'action'>, record?: (entry: Audited) => Promise<void>) => Promise<void>;

/** Makes sure that each request to a route with an action for the audit log is noted there. */
function createAuditing({ contract }: CompiledRoute, record: (entry: Audited) => Promise<void>) {
  let isDone = contract?.audit === undefined;
  const audit: Audit = async (entry, ofChange = record) => {
    if (contract?.audit === undefined) throw new Error('The route has no action for the audit log.');
    await ofChange({ action: contract.audit, ...entry });
    isDone = true;
  };
  const assertDone = (): void => {
    if (!isDone) throw new Error(`${contract?.operationId ?? ''} noted nothing in the audit log.`);
  };
  return { audit, assertDone };
}

function queryNames({ options, schemas }: CompiledRoute): readonly string[] {
  return schemas.query === undefined ? (options.query ?? []) : Object.keys(schemas.query.json.properties);
}

async function contentOf(
  { method, options }: CompiledRoute,
  readJson: ReadJson,
  request: Request,
  response: Response,
): Promise<Pick<RouteRequest, 'body' | 'upload'>> {
  const kind = options.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'json');
  if (typeof kind === 'object') return { body: undefined, upload: openUpload(request, kind) };
  if (kind === 'json') return { body: withPlainNumbers(await readJson(request, response)) };
  // An unused body is still checked on writes: a form of another site must not get through.
  if (method !== 'GET') await readJson(request, response);
  return { body: undefined };
}

function present(
  response: Response,
  { contract }: CompiledRoute,
  { data, json, meta, headers, ...answer }: RouteAnswer,
  stringify: (data: unknown) => string,
): void {
  const status = contract?.status ?? answer.status ?? 200;
  if (status !== 204) {
    sendData(response, status, json ?? stringify(data ?? null), meta, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.status(204).end();
}
