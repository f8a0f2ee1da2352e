import { errorCatalogue, type ItemAction } from '@gantry/contracts';
import type { ItemTypeDescriptor } from '../content/compile/descriptor';
import { namedSchemas, type DescribedPart, type RouteContract } from '../plugins/record/compiled-schemas';
import type { CompiledRoute } from '../plugins/record/registered-plugin';
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
import { sharedParameters } from './shared-components';

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
  return action === undefined ? shown : shown.filter((type) => mayDo(action, type));
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

/** An Express 5 path in OpenAPI's notation; one with an optional part, `/files{/:name}`, gives two paths. */
export function openApiPaths(path: string): readonly string[] {
  const optional = /\{([^{}]*)\}/.exec(path);
  if (optional === null) return [path.replaceAll(/[:*]"?(\w+)"?/g, '{$1}')];
  const [before, after] = [path.slice(0, optional.index), path.slice(optional.index + optional[0].length)];
  return [...openApiPaths(`${before}${after}`), ...openApiPaths(`${before}${optional[1] ?? ''}${after}`)];
}

/** The operation of a route that was declared with its contract. */
function operationOf(route: DescribedRoute, contract: RouteContract): Operation {
  const { presence, errors, limits, statuses } = contract;
  const operationId = route.plugin === undefined ? contract.operationId : `${route.plugin}.${contract.operationId}`;
  const requestBody = requestBodyOf(route);
  const [path = ''] = openApiPaths(route.path);
  const parameters = [
    ...pathParameters(route, path),
    ...queryParameters(route),
    ...(contract.precondition === true ? [component('parameters', 'IfMatch')] : []),
    ...(contract.idempotency === undefined ? [] : [keyParameter(contract.idempotency)]),
  ];
  const description = [contract.description, presence === undefined ? undefined : lasting]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    ...{ operationId, tags: [contract.tag ?? tagOf(route)], summary: route.options.summary ?? operationId },
    ...(description === '' ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...errorsWith(
        405,
        ...(path.includes('{') ? ([404] as const) : []),
        ...(route.method === 'GET' ? [] : ([409, 413, 415] as const)),
        ...(limits === undefined ? [] : ([429] as const)),
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

function keyParameter(demand: 'optional' | 'required'): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    ...(demand === 'required' ? { required: true } : {}),
    description:
      'A key that the client makes up for the request, such as a UUID. The request with the key again within a day gets the first answer; 409 while ' +
      'that is not there, where it is not known what became of it (`OUTCOME_UNKNOWN`), and for another request with the key.',
    schema: {
      type: 'string',
      pattern: String.raw`^\s*[\x21-\x7e]{1,202}\s*$`,
      examples: ['2f1c7b1e-8a3d-4f0a-9d55-0c6a4b1de3f7'],
    },
  };
}

const redirected = { Location: { schema: { type: 'string' } } };

function answerOf(status: number, description: string, contract: RouteContract): Response {
  const { answer, meta, mediaType, streams } = contract;
  if (status >= 300 && status < 400) return { description, headers: redirected };
  if (mediaType !== undefined) return { description, content: { [mediaType]: { schema: textSchema(mediaType) } } };
  const streamed = contentOf(streams ?? {});
  if (answer === undefined) return streams === undefined ? { description } : { description, content: streamed };
  const schema = envelope(answer.json, meta?.json);
  const whole = jsonResponse(description, status < 300 ? schema : { oneOf: [schema, component('schemas', 'Failure')] });
  return { ...whole, content: { ...whole.content, ...streamed } };
}

/** What is sent, by media type. */
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

function tagOf({ plugin }: DescribedRoute): string {
  return plugin === undefined ? 'platform' : `plugin ${plugin}`;
}

/** The operation of a route that was registered with `router.route`. */
function earlierOperation(route: DescribedRoute, path: string): Operation {
  const { parameters, responses, ...fragment } = route.options.openapi ?? {};
  const requestBody = requestBodyOf(route);
  // A write that takes no body still refuses one that is none of JSON.
  const readsBody = requestBody !== undefined || route.method !== 'GET';
  const isUpload = typeof route.options.body === 'object';
  const errors = errorsWith(
    404,
    409,
    ...(readsBody ? ([413, 415] as const) : []),
    ...(isUpload ? ([429] as const) : []),
  );
  return {
    operationId: operationId(route, path),
    tags: [tagOf(route)],
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
      ...(isRecord(responses) ? responses : {}),
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
  const limit = contract?.bodyLimit === undefined ? {} : { description: `At most ${contract.bodyLimit} bytes.` };
  return { required: !body.isOptional, ...limit, content: { 'application/json': { schema: body.json } } };
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

const anyName: Schema = { type: 'string', minLength: 1 };

function pathParameters({ schemas: { params } }: DescribedRoute, path: string): readonly Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(params?.json.properties[name] ?? anyName),
  }));
}

/** One that several routes have is a component. */
function sharedParameter({ $ref }: Schema): Reference | undefined {
  const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
  return Object.hasOwn(sharedParameters, name) ? component('parameters', name) : undefined;
}

function queryParameters({ options, schemas: { query } }: DescribedRoute): readonly (Parameter | Reference)[] {
  const names = options.query ?? [];
  if (query === undefined) return names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return Object.entries(query.json.properties).map(([name, schema]) => {
    const shared = sharedParameter(schema);
    if (shared !== undefined) return shared;
    const isRequired = query.json.required.includes(name);
    return { name, in: 'query', ...(isRequired ? { required: true } : {}), ...describedSchema(schema) };
  });
}

/** In OpenAPI, the description of a parameter is beside its schema. */
function describedSchema({ description, ...schema }: Schema): Pick<Parameter, 'description' | 'schema'> {
  return typeof description === 'string' ? { description, schema } : { schema };
}

function mergeParameters(
  described: readonly Parameter[],
  derived: readonly (Parameter | Reference)[],
): readonly (Parameter | Reference)[] {
  const known = new Set(described.map((parameter) => `${parameter.in} ${parameter.name}`));
  return [...described, ...derived.filter((one) => '$ref' in one || !known.has(`${one.in} ${one.name}`))];
}

function describedParameters(value: unknown): readonly Parameter[] {
  return Array.isArray(value) ? (value as readonly Parameter[]) : [];
}

function hasSuccess(responses: unknown): boolean {
  return isRecord(responses) && Object.keys(responses).some((status) => status.startsWith('2'));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
