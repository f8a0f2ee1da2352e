import { errorCatalogue } from '@gantry/contracts';
import type { Method, PluginRouter, Route, RouteHandler } from '@gantry/plugin-api';
import { messageOf } from '@gantry/core-common';
import type { RegisteredMount, RegisteredOptions, RegisteredRoute } from '../record/registered-plugin';
import { isMountPrefix, isRoutePath, methods } from '../manifest/route-pattern';
import { clashingNames, type RouteContract } from '../record/compiled-schemas';
import { documentationProblems } from './documentation-problems';
import { compileContract, compileRouteSchemas } from './route-schemas';

/** The router of one plugin, and what was registered on it. */
export interface CollectingRouter {
  readonly router: PluginRouter;
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  /** Sentences about calls that were not acceptable. */
  readonly problems: readonly string[];
  /** From here on, a call throws. */
  close(): void;
}

/** A router that only remembers; the host serves the routes once all plugins are checked. */
export function createCollectingRouter(plugin: string): CollectingRouter {
  const routes: RegisteredRoute[] = [];
  const mounts: RegisteredMount[] = [];
  const problems: string[] = [];
  let closed = false;
  const assertOpen = (): void => {
    if (closed) throw new Error('Routes can be registered in register only');
  };
  const register = (
    { method, path, handler, options }: Omit<RegisteredRoute, 'plugin' | 'schemas' | 'contract'>,
    contract?: RouteContract,
    contractProblems: readonly string[] = [],
  ): void => {
    const { schemas, problems: schemaProblems } = compileRouteSchemas(method, path, options, plugin);
    const clashes = clashingNames([
      ...routes.map((other) => [other.schemas, other.contract] as const),
      [schemas, contract],
    ]);
    const wrong = [
      ...(methods.includes(method) ? [] : [`the method "${method}" is not one of ${methods.join(', ')}`]),
      ...(isRoutePath(path) ? [] : [`the path "${path}" must consist of /words and /:names`]),
      ...(typeof handler === 'function' ? [] : ['the handler is not a function']),
      ...optionProblems(options, contract),
      ...bodyProblems(method, options.body),
      ...bodyProblems(method, contract?.upload),
      ...schemaProblems,
      ...contractProblems,
      ...clashes.map((name) => `another route has another schema of the name ${name}`),
      ...(routes.some((other) => other.method === method && other.path === path) ? ['it is registered twice'] : []),
    ];
    const route = { plugin, method, path, handler, options: Object.freeze({ ...options }), schemas };
    if (wrong.length > 0) problems.push(`${method} ${path}: ${wrong.join(', ')}`);
    else routes.push(Object.freeze(contract === undefined ? route : { ...route, contract }));
  };
  const router: PluginRouter = {
    add(...added) {
      assertOpen();
      for (const one of added) {
        const { contract, problems: wrong } = contractOf(plugin, one, routes);
        register(toRegistered(one), contract, wrong);
      }
    },
    route(method, path, handler, options = {}) {
      assertOpen();
      register({ method, path, handler, options });
    },
    mount(prefix, handler, { access = 'signed-in' } = {}) {
      assertOpen();
      const wrong = [
        ...(isMountPrefix(prefix) ? [] : ['the prefix must consist of /words']),
        ...(typeof handler === 'function' ? [] : ['the handler is not a function']),
        ...(['public', 'items', 'signed-in'].includes(access) ? [] : ['the access must be public, items or signed-in']),
        ...(mounts.some((other) => other.prefix === prefix) ? ['it is mounted twice'] : []),
      ];
      if (wrong.length > 0) problems.push(`mount of "${prefix}": ${wrong.join(', ')}`);
      else mounts.push(Object.freeze({ plugin, prefix, handler, access }));
    },
  };
  return { router: Object.freeze(router), routes, mounts, problems, close: () => (closed = true) };
}

/** A route in the form of `router.route`. */
export function toRegistered(route: Route<never>): Omit<RegisteredRoute, 'plugin' | 'schemas' | 'contract'> {
  const { method, path, access, summary, params, query, body, upload, handler } = route;
  const schemas = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
  const kind = body === undefined ? (upload ?? 'none') : 'json';
  const options: RegisteredOptions = { access, summary, schemas, body: kind };
  return { method, path, options, handler: handler as unknown as RouteHandler };
}

const operationIdSyntax = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/;

function isListOfCodes(errors: unknown): boolean {
  return Array.isArray(errors) && errors.every((code: unknown) => Object.hasOwn(errorCatalogue, String(code)));
}

/** Problems of the limits of a route: a public one must have them, as anybody can send requests to it. */
export function limitProblems({
  method,
  access,
  limits,
  bodyLimit,
}: Pick<Route, 'method' | 'access' | 'limits' | 'bodyLimit'>): readonly string[] {
  const isPublic = access === 'public';
  const rate = limits?.rate;
  const areSound = isCount(limits?.share) && (rate === false || (isCount(rate?.requests) && isCount(rate?.seconds)));
  return [
    ...(isPublic && limits === undefined ? ['a public route must have limits'] : []),
    ...(limits === undefined || areSound
      ? []
      : ['limits must be { share, rate: { requests, seconds } } of numbers from 1, or rate: false']),
    ...(isPublic && method !== 'GET' && bodyLimit === undefined ? ['a public route must have a bodyLimit'] : []),
    ...(bodyLimit === undefined || isCount(bodyLimit) ? [] : ['the bodyLimit is not a number of bytes']),
  ];
}

/** Problems of the demand of a key: only an answer that is made before it is sent, and is no secret, can be stored. */
export function keyProblems({
  method,
  idempotency,
  upload,
  streams,
  presence,
}: Partial<Omit<Route, 'handler'>>): readonly string[] {
  if (idempotency === undefined) return [];
  return [
    ...(['optional', 'required'].includes(idempotency) ? [] : ['idempotency must be optional or required']),
    ...(method === 'GET' ? ['idempotency is not for GET'] : []),
    ...(upload === undefined && streams === undefined && presence === undefined
      ? []
      : ['idempotency is not for uploads, streams and routes that need a proof of presence']),
  ];
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Plugins in plain JavaScript have no compiler that checks it. */
function contractOf(
  plugin: string,
  route: Route,
  others: readonly RegisteredRoute[],
): { readonly contract?: RouteContract; readonly problems: readonly string[] } {
  const { operationId, access, audit, errors = [] } = route as Partial<Route>;
  const problems = [
    ...(typeof operationId === 'string' && operationIdSyntax.test(operationId)
      ? []
      : ['the operationId must begin with a letter, and have letters, digits and ._- only']),
    ...(others.some(({ contract }) => contract?.operationId === operationId)
      ? [`another route has the operationId ${String(operationId)}`]
      : []),
    ...(access === undefined ? ["access must be 'public', 'items', 'signed-in' or { permission: '…' }"] : []),
    ...limitProblems(route),
    ...keyProblems(route),
    ...documentationProblems(route),
    ...(audit === undefined || (typeof audit === 'string' && audit.startsWith(`${plugin}-`))
      ? []
      : [`the action audit must begin with ${plugin}-`]),
    ...(isListOfCodes(errors) ? [] : ['errors must be codes of docs/errors.md']),
  ];
  try {
    return { contract: compileContract(route, plugin), problems };
  } catch (error) {
    return { problems: [...problems, `the schema of the answer ${messageOf(error)}`] };
  }
}

const optionNames: readonly string[] = [
  'schemas',
  'query',
  'body',
  'summary',
  'openapi',
  'access',
] satisfies (keyof RegisteredOptions)[];

function optionProblems(options: RegisteredOptions, contract: RouteContract | undefined): readonly string[] {
  const query: unknown = options.query ?? [];
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name));
  return [
    ...unknown.map((name) => `the option ${name} is not one of ${optionNames.join(', ')}`),
    ...(Array.isArray(query) ? [] : ['query is not a list of parameters']),
    ...accessProblems(options.access, contract),
  ];
}

/** Plugins in plain JavaScript have no compiler that reports it, and what is not understood must not be open. */
function accessProblems(access: unknown, contract: RouteContract | undefined): readonly string[] {
  if (access === undefined || access === 'signed-in') return [];
  if ((access === 'public' || access === 'items') && contract !== undefined) return [];
  const isPermission =
    typeof access === 'object' && access !== null && 'permission' in access && typeof access.permission === 'string';
  return isPermission ? [] : ["access is neither 'signed-in' nor { permission: '…' }"];
}

const mediaTypeSyntax = /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/;

function bodyProblems(method: Method, body: RegisteredOptions['body']): readonly string[] {
  if (body === undefined || body === 'json' || body === 'none') return [];
  const { mediaTypes, limit } = body;
  // Plugins in plain JavaScript have no compiler that reports it.
  const listed: readonly unknown[] = Array.isArray(mediaTypes) ? mediaTypes : [];
  const known = listed.length > 0 && listed.every((type) => typeof type === 'string' && mediaTypeSyntax.test(type));
  return [
    ...(method === 'GET' || method === 'DELETE' ? [`a body is not allowed with ${method}`] : []),
    ...(known ? [] : ['the media types of the body must be like image/png or image/*']),
    ...(Number.isSafeInteger(limit) && limit > 0 ? [] : ['the limit of the body is not a number of bytes']),
  ];
}
