import type { RegisteredRoute } from '../plugins/record/registered-plugin';
import {
  envelope,
  jsonResponse,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  type Schema,
} from './document';
import { errorsWith } from './error-responses';

type Route = Pick<RegisteredRoute, 'plugin' | 'method' | 'path' | 'options' | 'schemas'>;

/** The routes of plugins; what a route says of itself in `options.openapi` is merged into its operation. */
export function pluginRoutePaths(routes: readonly Route[]): Paths {
  const paths: Record<string, PathItem> = {};
  for (const route of routes) {
    for (const path of openApiPaths(route.path)) {
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path) };
    }
  }
  return paths;
}

/** An Express 5 path in OpenAPI's notation; one with an optional part, `/files{/:name}`, gives two paths. */
export function openApiPaths(path: string): readonly string[] {
  const optional = /\{([^{}]*)\}/.exec(path);
  if (optional === null) return [path.replaceAll(/[:*]"?(\w+)"?/g, '{$1}')];
  const [before, after] = [path.slice(0, optional.index), path.slice(optional.index + optional[0].length)];
  return [...openApiPaths(`${before}${after}`), ...openApiPaths(`${before}${optional[1] ?? ''}${after}`)];
}

function operationOf(route: Route, path: string): Operation {
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
    tags: [`plugin ${route.plugin}`],
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

function requestBodyOf(route: Route): Operation['requestBody'] {
  const body = route.options.body ?? (writesBody(route) ? 'json' : 'none');
  if (body === 'none') return undefined;
  if (body === 'json') return jsonBody(route);
  const bytes = { schema: { type: 'string', format: 'binary' } };
  return {
    required: true,
    description: `At most ${body.limit} bytes.`,
    content: Object.fromEntries(body.mediaTypes.map((mediaType) => [mediaType, bytes])),
  };
}

function jsonBody({ schemas: { body } }: Route): Operation['requestBody'] {
  if (body === undefined) return { content: { 'application/json': { schema: {} } } };
  return { required: !body.isOptional, content: { 'application/json': { schema: body.json } } };
}

function writesBody(route: Route): boolean {
  return route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH';
}

function operationId(route: Route, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .replaceAll(/[^A-Za-z0-9/.-]+/g, '-')
    .split('/')
    .filter(Boolean);
  return [route.plugin, route.method.toLowerCase(), ...words].join('_');
}

const anyName: Schema = { type: 'string', minLength: 1 };

function pathParameters({ schemas: { params } }: Route, path: string): readonly Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(params?.json.properties[name] ?? anyName),
  }));
}

function queryParameters({ options, schemas: { query } }: Route): readonly Parameter[] {
  const names = options.query ?? [];
  if (query === undefined) return names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return Object.entries(query.json.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(query.json.required.includes(name) ? { required: true } : {}),
    ...describedSchema(schema),
  }));
}

/** In OpenAPI, the description of a parameter is beside its schema. */
function describedSchema({ description, ...schema }: Schema): Pick<Parameter, 'description' | 'schema'> {
  return typeof description === 'string' ? { description, schema } : { schema };
}

function mergeParameters(described: readonly Parameter[], derived: readonly Parameter[]): readonly Parameter[] {
  const known = new Set(described.map((parameter) => `${parameter.in} ${parameter.name}`));
  return [...described, ...derived.filter((parameter) => !known.has(`${parameter.in} ${parameter.name}`))];
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
