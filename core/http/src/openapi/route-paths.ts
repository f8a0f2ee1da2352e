import { isJsonObject } from '@gantry/core-common';
import { errorCatalogue, type ItemAction } from '@gantry/contracts';
import type { RouteExample } from '@gantry/plugin-api';
import { isNeverDone, type ItemTypeDescriptor } from '@gantry/core-content';
import { namedSchemas, type DescribedPart, type RouteContract, type CompiledRoute } from '@gantry/core-loader';
import {
  component,
  envelope,
  jsonResponse,
  type MediaType,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  type Reference,
  type Response,
  type Schema,
} from './document';
import { errorsWith } from './error-responses';
import { openApiPaths, operationParameters, pathParameters, queryParameters } from './route-parameters';

/** Of what outlasts the credential of a request. */
const lasting =
  'Needs a proof of presence within 10 minutes (`PRESENCE_REQUIRED`, `POST /api/platform/account/presence`), or an API token with `managesAccounts`.';

/** Whether something may be done with items of a type. */
export type MayDo = (action: ItemAction, type: ItemTypeDescriptor) => boolean;

/** A route that is described; without a plugin, one of the platform. */
export type DescribedRoute = Omit<CompiledRoute, 'handler'> & { readonly plugin?: string };

/**
 * Routes by path; what one says of itself in `options.openapi` is merged into its operation.
 * @param types those for which routes are described that name one in their paths; without types, these are described once for any
 */
export function routePaths(
  routes: readonly DescribedRoute[],
  types: readonly ItemTypeDescriptor[] | 'any',
  mayDo: MayDo = () => true,
): Paths {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    for (const [path, operation] of operationsOf(route, types, mayDo)) {
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
    }
  }
  return paths;
}

function operationsOf(
  route: DescribedRoute,
  types: readonly ItemTypeDescriptor[] | 'any',
  mayDo: MayDo,
): readonly (readonly [path: string, operation: Operation])[] {
  const { contract } = route;
  const paths = openApiPaths(route.path);
  if (contract === undefined) return paths.map((path) => [path, earlierOperation(route, path)]);
  const operation = operationOf(route, contract);
  if (contract.ofType === undefined) return paths.map((path) => [path, operation]);
  if (types === 'any') return paths.map((path) => [path, withSchemasOf('Item', operation)]);
  return typesOf(contract, types, mayDo).flatMap((type) => {
    const described = ofType(type, operation);
    return paths.map((path) => [path.replace('{type}', type.code), described] as const);
  });
}

function typesOf(
  { ofType: which, action }: RouteContract,
  types: readonly ItemTypeDescriptor[],
  mayDo: MayDo,
): readonly ItemTypeDescriptor[] {
  const shown = types.filter(({ readOnly }) => which === 'every' || !readOnly);
  return action === undefined ? shown : shown.filter((type) => !isNeverDone(action, type) && mayDo(action, type));
}

/** An operation for one item type. */
function ofType(type: ItemTypeDescriptor, { parameters = [], ...operation }: Operation): Operation {
  const others = parameters.filter((one) => '$ref' in one || one.in !== 'path' || one.name !== 'type');
  return withSchemasOf(type.className, {
    ...operation,
    operationId: `${operation.operationId}${type.className}`,
    tags: [`plugin ${type.plugin}`],
    summary: `${type.displayName}: ${operation.summary}`,
    ...(others.length === 0 ? {} : { parameters: others }),
  });
}

/** Schemas of an item type are named after its class. */
function withSchemasOf<T>(className: string, part: T): T {
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('{Type}', className) : value,
  ) as T;
}

/** The named schemas of routes. */
export function routeSchemas(routes: readonly DescribedRoute[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(routes.flatMap(({ schemas, contract }) => namedSchemas(schemas, contract)));
}

/** The answers that they give a name to, for the same reason. */
export function routeResponses(routes: readonly DescribedRoute[]): Readonly<Record<string, Response>> {
  return Object.fromEntries(
    routes.flatMap(({ contract }) => {
      const name = contract?.answer?.json[responseName];
      if (contract === undefined || typeof name !== 'string') return [];
      return Object.entries(contract.statuses).map(([status, text]) => [
        name,
        describedAnswer(Number(status), text, contract),
      ]);
    }),
  );
}

/** The operation of a route that was declared with its contract. */
function operationOf(route: DescribedRoute, contract: RouteContract): Operation {
  const { presence, errors, limits, statuses, precondition } = contract;
  const operationId = route.plugin === undefined ? contract.operationId : `${route.plugin}.${contract.operationId}`;
  const requestBody = requestBodyOf(route);
  const [path = ''] = openApiPaths(route.path);
  const parameters = operationParameters(route, path, contract);
  const description = [contract.description, presence === undefined ? undefined : lasting]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    ...{ operationId, tags: tagsOf(route, contract.tags), summary: route.options.summary ?? operationId },
    ...(description === '' ? {} : { description }),
    ...(contract.deprecated === undefined ? {} : { deprecated: true }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...errorsWith(
        405,
        ...(path.includes('{') ? ([404] as const) : []),
        ...(precondition === undefined ? [] : ([412] as const)),
        ...(route.method === 'GET' ? [] : ([409, 413, 415] as const)),
        ...(limits === undefined && !isUploadOfPlugin(route) ? [] : ([429] as const)),
        // Without the plugin there is no such route, and what the plugin asks of the platform may conflict.
        ...(route.plugin === undefined ? [] : ([404, 409] as const)),
        ...errors.map((code) => errorCatalogue[code].status),
      ),
      ...Object.fromEntries(
        Object.entries(statuses).map(([status, text]) => [status, answerOf(Number(status), text, contract)]),
      ),
    },
  };
}

/** In a schema of the platform, the name of the component that the answer is. */
const responseName = 'responseName';

const redirected = { Location: { schema: { type: 'string' } } };

function answerOf(status: number, description: string, contract: RouteContract): Response | Reference {
  const name = contract.answer?.json[responseName];
  return typeof name === 'string' ? component('responses', name) : describedAnswer(status, description, contract);
}

function describedAnswer(status: number, description: string, contract: RouteContract): Response {
  const { answer, meta, mediaType, streams } = contract;
  const headers = headersOf(contract);
  if (status === 304) return { description, headers: headersNamed(['ETag']) };
  if (status >= 300 && status < 400) return { description, headers: redirected };
  if (mediaType !== undefined) {
    const text = { schema: textSchema(mediaType), ...examplesOf(contract, ({ answer: given }) => given) };
    return { description, ...headers, content: { [mediaType]: text } };
  }
  const streamed = contentOf(streams ?? {});
  if (answer === undefined) return { description, ...headers, ...(streams === undefined ? {} : { content: streamed }) };
  const { [responseName]: _name, ...data } = answer.json;
  const schema = contract.envelope === undefined ? envelope(data, meta?.json) : component('schemas', contract.envelope);
  const json = {
    schema: status < 300 ? schema : { oneOf: [schema, component('schemas', 'Failure')] },
    ...examplesOf(contract, ({ answer: value }) => (value === undefined ? undefined : { data: value })),
  };
  return { description, ...headers, content: { 'application/json': json, ...streamed } };
}

/** The part of each example that has one. */
function examplesOf(
  { examples = {} }: RouteContract,
  part: (example: RouteExample) => unknown,
): Pick<MediaType, 'examples'> {
  const found = Object.entries(examples).flatMap(([name, example]) => {
    const value = part(example);
    const { summary } = example;
    return value === undefined ? [] : [[name, { ...(summary === undefined ? {} : { summary }), value }] as const];
  });
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) };
}

function headersOf({ headers = [], deprecated }: RouteContract): Pick<Response, 'headers'> {
  if (headers.length === 0 && deprecated === undefined) return {};
  const all = { ...headersNamed(headers), ...(deprecated === undefined ? {} : { Deprecation: deprecation }) };
  return { headers: all };
}

const deprecation: Schema = {
  description: 'Time of the deprecation of the operation, as in RFC 9745: `@` and seconds since 1970.',
  schema: { type: 'string' },
};

function headersNamed(names: readonly string[]): NonNullable<Response['headers']> {
  return Object.fromEntries(names.map((name) => [name, component('headers', name)]));
}

/** Sent content, by media type. */
function contentOf(parts: Readonly<Record<string, DescribedPart>>): Readonly<Record<string, MediaType>> {
  return Object.fromEntries(
    Object.entries(parts).map(
      ([
        mediaType,
        {
          json: { examples, ...schema },
        },
      ]) => {
        const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
        return [mediaType, { schema, ...(example === undefined ? {} : { example }) }];
      },
    ),
  );
}

function textSchema(mediaType: string): Schema {
  return { type: mediaType === 'application/json' ? 'object' : 'string' };
}

/** All uploads to plugins share what a user may take of them. */
function isUploadOfPlugin({ plugin, options, contract }: DescribedRoute): boolean {
  return plugin !== undefined && (typeof options.body === 'object' || contract?.upload !== undefined);
}

function tagsOf({ plugin }: DescribedRoute, tags: readonly string[] = []): readonly string[] {
  if (plugin !== undefined) return [`plugin ${plugin}`, ...tags];
  return tags.length === 0 ? ['platform'] : tags;
}

/** The operation of a route that was registered with `router.route`. */
function earlierOperation(route: DescribedRoute, path: string): Operation {
  const { parameters, responses, ...fragment } = route.options.openapi ?? {};
  const requestBody = requestBodyOf(route);
  // A write that takes no body still refuses one that is none of JSON.
  const readsBody = requestBody !== undefined || route.method !== 'GET';
  const errors = errorsWith(
    404,
    409,
    ...(readsBody ? ([413, 415] as const) : []),
    ...(isUploadOfPlugin(route) ? ([429] as const) : []),
  );
  return {
    operationId: operationId(route, path),
    tags: tagsOf(route),
    summary: route.options.summary ?? `${route.method} ${path}`,
    ...(requestBody === undefined ? {} : { requestBody }),
    ...fragment,
    parameters: mergeParameters(describedParameters(parameters), [
      ...pathParameters(route, path),
      ...queryParameters(route),
    ]),
    responses: {
      ...(hasSuccess(responses) ? {} : { 200: jsonResponse('The response.', envelope({})) }),
      ...errors,
      ...(isJsonObject(responses) ? responses : {}),
    },
  };
}

type JsonBody = Readonly<Record<'content', object>> & Readonly<Record<string, unknown>>;

function requestBodyOf(route: DescribedRoute): Operation['requestBody'] {
  const body = route.options.body ?? (writesBody(route) ? 'json' : 'none');
  if (body === 'none') return undefined;
  const file = typeof body === 'object' ? body : route.contract?.upload;
  const json = body === 'json' ? jsonBody(route) : undefined;
  if (file === undefined) return json;
  if (route.contract?.formats !== undefined) {
    const description = 'The file, in UTF-8 and not compressed; it may exceed the limit of other bodies.';
    return { required: true, description, content: contentOf(route.contract.formats) };
  }
  const bytes = { schema: { type: 'string', format: 'binary' } };
  const files = Object.fromEntries(file.mediaTypes.map((mediaType) => [mediaType, bytes]));
  const sizes = `${json === undefined ? 'At' : 'A file has at'} most ${file.limit} bytes.`;
  return { required: true, description: sizes, content: { ...json?.content, ...files } };
}

function jsonBody({ schemas: { body }, contract }: DescribedRoute): JsonBody {
  if (body === undefined) return { content: { 'application/json': { schema: {} } } };
  const { $ref, description } = body.json;
  const examples = contract === undefined ? {} : examplesOf(contract, (example) => example.body);
  const limit = contract?.bodyLimit === undefined ? {} : { description: `At most ${contract.bodyLimit} bytes.` };
  // A schema that is made for each item type says all of it.
  const [schema, ofAny] = typeof $ref === 'string' ? [{ $ref }, { description }] : [body.json, {}];
  return { required: !body.isOptional, ...ofAny, ...limit, content: { 'application/json': { schema, ...examples } } };
}

function writesBody(route: DescribedRoute): boolean {
  return route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH';
}

function operationId(route: DescribedRoute, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .replaceAll(/[^A-Za-z0-9/.-]+/g, '-')
    .split('/')
    .filter(Boolean);
  return [route.plugin ?? 'platform', route.method.toLowerCase(), ...words].join('_');
}

function mergeParameters(described: readonly Parameter[], derived: readonly Parameter[]): readonly Parameter[] {
  const known = new Set(described.map((parameter) => `${parameter.in} ${parameter.name}`));
  return [...described, ...derived.filter((parameter) => !known.has(`${parameter.in} ${parameter.name}`))];
}

function describedParameters(value: unknown): readonly Parameter[] {
  return Array.isArray(value) ? (value as readonly Parameter[]) : [];
}

function hasSuccess(responses: unknown): boolean {
  return isJsonObject(responses) && Object.keys(responses).some((status) => status.startsWith('2'));
}
