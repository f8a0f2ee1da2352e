import type { Caller, RouteResponse, RouteUpload, StreamedBody, StreamResult } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { onceFor, withPlainNumbers } from '@gantry/core-common';
import { callerOf } from './caller/callers';
import type { RouteContract, CompiledRoute, RegisteredOptions } from '@gantry/core-loader';
import type { AnsweredRequests } from '../idempotency/answered-requests';
import { answerOnce } from './answer/answer-once';
import type { ReadJson } from './input/body';
import { parseParts, type ParsedParts } from './call-route';
import type { RouteLimit } from './route-limits';
import { assertAllowed, assertPresent, markPresence, principalOf } from './caller/principal';
import { hasVersion } from './input/preconditions';
import { parseQuery } from './input/query';
import type { Audited } from './caller/record-action';
import { requestIdOf } from './request-context';
import { methodNotAllowed, type Routes } from './routes';
import { sendData, sendText, type AnswerHeaders } from './answer/send';
import { eventStream, sendStream } from './answer/send-stream';
import { hasMediaType, openUpload } from './input/upload';

/** The parts that serve routes. */
export interface RouteServer<Route extends CompiledRoute> {
  readonly readJson: ReadJson;
  /** Notes in the audit log what the caller did. */
  readonly record: (request: Request, entry: Audited) => Promise<void>;
  readonly limitOf: (contract: RouteContract) => RouteLimit | undefined;
  /** Finds the answers to requests that come again with their keys. */
  readonly answered: AnsweredRequests;
  /** Aborts when the process takes no requests any more. */
  readonly draining: AbortSignal;
  /** The functions of a route for one request: its handler, and what makes JSON of its answer. */
  readonly open: (route: Route, request: Request, response: Response) => RunCode;
}

export interface RunCode {
  /** For code that answers at once. */
  readonly run: <T>(code: () => T) => T;
  /** For the handler. */
  readonly call: <T>(code: () => Promise<T>) => Promise<T>;
  /** Arguments of the handler besides the request: an object that others are added to. */
  readonly more?: object;
  /** Aborts when the client is gone, where the handler or what it answers may wait for that. */
  readonly signal?: AbortSignal;
}

/** Serves routes by their contracts. The paths answer any other method with 405. */
export function serveRoutes<Route extends Pick<CompiledRoute, 'method' | 'path'>>(
  routes: readonly Route[],
  answering: (route: Route, request: Request, response: Response) => Promise<void>,
  offers: (route: Route, request: Request) => boolean = () => true,
): Routes {
  return (app) => {
    const paths = new Set(routes.map((route) => route.path));
    const routesAt = (path: string) => routes.filter((route) => route.path === path);
    for (const path of paths) {
      const offered = app.route(path);
      for (const route of routesAt(path)) {
        const method = route.method.toLowerCase() as Lowercase<Route['method']>;
        offered[method]((request, response) => answering(route, request, response));
      }
    }
    // After all routes, as the path of one may also fit the pattern of another.
    for (const path of paths) {
      const allow = (request: Request): string => allowOf(routesAt(path).filter((route) => offers(route, request)));
      app.all(path, methodNotAllowed(allow));
    }
  };
}

/** The methods of routes, as `Allow` names them. */
function allowOf(routes: readonly Pick<CompiledRoute, 'method'>[]): string {
  return routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ');
}

/**
 * Answers a request to a route in the envelope.
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN, TOO_MANY_REQUESTS, BAD_REQUEST, VALIDATION_FAILED, PresenceRequired, and what the handler throws
 */
export async function answerRoute<Route extends CompiledRoute>(
  route: Route & { readonly hasForeignQuery?: true },
  { readJson, record, limitOf, open, draining, answered }: RouteServer<Route>,
  request: Request,
  response: Response,
): Promise<void> {
  const { contract } = route;
  if (contract?.presence === true) markPresence(request);
  if (contract?.deprecated !== undefined) response.setHeader('Deprecation', contract.deprecated);
  assertAllowed(request, route.options.access);
  const limit = contract && limitOf(contract);
  if (limit !== undefined) await limit.begin(request);
  const { run, call, signal, more = {} } = open(route, request, response);
  const query = route.hasForeignQuery === true ? {} : parseQuery(request, queryNames(route));
  const kind = bodyKind(route, request);
  const upload = typeof kind === 'object' ? await openFile(request, kind) : undefined;
  const sent = readsBody(route, kind) ? await readJson(request, response, contract?.bodyLimit) : undefined;
  const body = bodyOf(route, kind, sent);
  const action = contract?.audit;
  const auditing = action === undefined ? unaudited : createAuditing(route, action, (entry) => record(request, entry));
  // Members are added to one object: to copy it would take longer than all else that is done here.
  const given: GivenParts = more;
  given.params = request.params;
  given.query = query;
  given.body = body;
  given.upload = upload;
  given.requestId = requestIdOf(request);
  given.audit = auditing.audit;
  // Each promise costs a list more than its own work: there are as few as there can be.
  const handle = (): Promise<RouteAnswer | StreamResult<string> | undefined> =>
    call(() => {
      const parsing = parseParts(route, given as ParsedParts);
      return parsing === undefined ? route.handler(given as never) : parsing.then(() => route.handler(given as never));
    });
  // Getters and toJSON of the answer are code of the route.
  const stringify = (data: unknown): string => run(() => JSON.stringify(data));
  const work = audited(auditing, handle);
  const answerOf = (): ReturnType<typeof handle> =>
    contract === undefined ? work() : answerOnce(contract, answered, { request, given: body, stringify }, work);
  // A plugin in plain JavaScript may return nothing where nothing is answered.
  const finish = (answer: RouteAnswer | StreamResult<string> = {}): Promise<void> | undefined => {
    if ('stream' in answer) return stream(route, answer, { request, response, signal, draining, run, call });
    present(response, route, answer, stringify);
    return undefined;
  };
  try {
    const sending =
      limit === undefined ? finish(await answerOf()) : limit.run(request, async () => finish(await answerOf()));
    if (sending !== undefined) await sending;
  } catch (error) {
    // A handler that was stopped with its client is no fault.
    if (signal?.aborted !== true || error !== signal.reason) throw error;
  }
}

interface StreamParts extends Pick<RunCode, 'run' | 'call'> {
  readonly signal: AbortSignal | undefined;
  readonly request: Request;
  readonly response: Response;
  readonly draining: AbortSignal;
}

function stream(
  route: CompiledRoute,
  answer: StreamResult<string>,
  { run, call, signal = neverAborted, ...parts }: StreamParts,
): Promise<void> {
  assertStreams(route, answer);
  // Events may be far apart.
  return sendStream(answer, { ...parts, signal, pull: answer.mediaType === eventStream ? run : call });
}

/** Arguments of every handler, while they are put together. */
type GivenParts = Partial<ParsedParts & { requestId: string; audit: Audit }>;

const neverAborted = new AbortController().signal;

/** Who calls, and a signal that aborts when the client is gone: for handlers that look at them. */
export function callerAndSignal(route: CompiledRoute, request: Request, response: Response, run: RunCode['run']) {
  const gone = new AbortController();
  response.once('close', () => run(() => gone.abort(new Error('The client closed the connection.'))));
  return { caller: callerFor(route, request), signal: gone.signal };
}

/** Plugins in plain JavaScript have no compiler that checks it. @throws Error for a media type that the route does not have */
function assertStreams({ contract }: CompiledRoute, { mediaType }: StreamResult<string>): void {
  if (Object.hasOwn(contract?.streams ?? {}, mediaType)) return;
  throw new Error(`${contract?.operationId ?? ''} answers with ${mediaType}, which the route does not have.`);
}

/** Nobody is known to a public route, and the role `public` is nobody. */
function callerFor({ options: { access } }: CompiledRoute, request: Request): Caller {
  const principal = access === 'public' ? undefined : principalOf(request);
  if (principal === undefined || principal.kind === 'public') return undefined as never;
  return callerOf(principal);
}

/** Of both forms of routes. */
interface RouteAnswer extends Omit<RouteResponse, 'headers'> {
  readonly json?: string;
  readonly text?: string;
  readonly location?: string;
  readonly headers?: AnswerHeaders;
  /** Of the item, for its ETag. */
  readonly version?: number;
}

/**
 * Notes a request in the audit log.
 * @param entry undefined where nothing was done
 * @param record that of the transaction of the change, so that it is noted with it
 */
export type Audit = (
  entry: Omit<Audited, 'action'> | undefined,
  record?: (entry: Audited) => Promise<void>,
) => Promise<void>;

interface Auditing {
  readonly audit: Audit;
  /** @throws Error where the handler noted nothing */
  assertDone(): void;
}

/** Makes sure that each request to a route with an action for the audit log is noted there. */
function createAuditing(
  { contract }: CompiledRoute,
  action: string,
  record: (entry: Audited) => Promise<void>,
): Auditing {
  let isDone = false;
  return {
    async audit(entry, ofChange = record) {
      if (entry !== undefined) await ofChange({ action, ...entry });
      isDone = true;
    },
    assertDone() {
      if (!isDone) throw new Error(`${contract?.operationId ?? ''} noted nothing in the audit log.`);
    },
  };
}

/** The work of a handler, which has to note something where its route has an action for the audit log. */
function audited<T>(auditing: Auditing, handle: () => Promise<T>): () => Promise<T> {
  if (auditing === unaudited) return handle;
  return async () => {
    const answer = await handle();
    auditing.assertDone();
    return answer;
  };
}

const unaudited: Auditing = {
  audit: async () => {
    throw new Error('The route has no action for the audit log.');
  },
  assertDone: () => undefined,
};

const queryNames = onceFor(({ options, schemas }: CompiledRoute): readonly string[] =>
  schemas.query === undefined ? (options.query ?? []) : Object.keys(schemas.query.json.properties),
);

/** The input that the route reads from a body: JSON, a file, or nothing. */
function bodyKind(
  { method, options, contract }: CompiledRoute,
  request: Request,
): NonNullable<RegisteredOptions['body']> {
  if (contract?.upload !== undefined && hasMediaType(request, contract.upload.mediaTypes)) return contract.upload;
  return options.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'json');
}

async function openFile(request: Request, kind: StreamedBody): Promise<RouteUpload> {
  await assertPresent(request);
  return openUpload(request, kind);
}

type BodyKind = ReturnType<typeof bodyKind>;

/** An unused body is still checked on writes: a form of another site must not get through. */
function readsBody({ method }: CompiledRoute, kind: BodyKind): boolean {
  return typeof kind !== 'object' && (kind === 'json' || method !== 'GET');
}

function bodyOf({ contract }: CompiledRoute, kind: BodyKind, sent: unknown): unknown {
  if (kind !== 'json') return undefined;
  return contract?.keepsNumbers === true ? sent : withPlainNumbers(sent);
}

const noHeaders: AnswerHeaders = {};

function present(
  response: Response,
  { contract }: CompiledRoute,
  { data, json, text, meta, headers = noHeaders, location, version, status: given }: RouteAnswer,
  stringify: (data: unknown) => string,
): void {
  const status = contract === undefined ? (given ?? 200) : statusOf(contract, given);
  if (text !== undefined) {
    sendText(response, status, text, { 'Content-Type': `${contract?.mediaType}; charset=utf-8`, ...headers });
    return;
  }
  if (version !== undefined) {
    response.setHeader('ETag', `"${version}"`);
    if (contract?.precondition === 'read' && hasVersion(response.req.headers['if-none-match'], version)) {
      response.status(304).end();
      return;
    }
  }
  if (status !== 204 && location === undefined) {
    sendData(response, status, json ?? stringify(data ?? null), meta, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (location !== undefined) response.setHeader('Location', location);
  response.status(status).end();
}

/** Plugins in plain JavaScript have no compiler that checks it. @throws Error for a status that the route does not have */
function statusOf({ status, statuses, operationId }: RouteContract, given = status): number {
  if (given !== undefined && Object.hasOwn(statuses, given)) return given;
  throw new Error(`${operationId} answers with the status ${given}, which the route does not have.`);
}
