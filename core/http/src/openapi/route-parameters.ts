import type { CompiledRoute, RouteContract } from '@gantry/core-loader';
import { component, type Parameter, type Reference, type Schema } from './document';

/** The part of a route that describes its parameters. */
type WithParameters = Pick<CompiledRoute, 'path' | 'options' | 'schemas'>;

/** The parameters that routes of the platform give a name to, as every operation of an item type has them. */
export function routeParameters(routes: readonly WithParameters[]): Readonly<Record<string, Parameter>> {
  const named = routes.flatMap((route) => [
    ...pathParameters(route, openApiPaths(route.path)[0] ?? ''),
    ...queryParameters(route),
  ]);
  return Object.fromEntries(
    named.flatMap((parameter) => {
      const { [parameterName]: name, ...schema } = parameter.schema;
      return typeof name === 'string' ? [[name, { ...parameter, schema }]] : [];
    }),
  );
}

/** The parameters of an operation at a path in OpenAPI's notation. */
export function operationParameters(
  route: WithParameters,
  path: string,
  { precondition, idempotency }: Pick<RouteContract, 'precondition' | 'idempotency'>,
): readonly (Parameter | Reference)[] {
  return [
    ...[...pathParameters(route, path), ...queryParameters(route)].map(asComponent),
    ...(precondition === undefined ? [] : conditional[precondition]),
    ...(idempotency === undefined ? [] : [keyParameter(idempotency)]),
  ];
}

/** An Express 5 path in OpenAPI's notation; one with an optional part, `/files{/:name}`, gives two paths. */
export function openApiPaths(path: string): readonly string[] {
  const optional = /\{([^{}]*)\}/.exec(path);
  if (optional === null) return [path.replaceAll(/[:*]"?(\w+)"?/g, '{$1}')];
  const [before, after] = [path.slice(0, optional.index), path.slice(optional.index + optional[0].length)];
  return [...openApiPaths(`${before}${after}`), ...openApiPaths(`${before}${optional[1] ?? ''}${after}`)];
}

/** The headers by which a request says which version of the item it expects or has. */
const conditional = {
  read: ['IfMatch', 'IfNoneMatch'].map((name) => component('parameters', name)),
  write: ['IfMatch', 'WriteIfNoneMatch'].map((name) => component('parameters', name)),
} as const;

function keyParameter(demand: 'optional' | 'required'): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    ...(demand === 'required' ? { required: true } : {}),
    description:
      'A key that the client chooses for the request, such as a UUID. If the request is repeated within a day, it gets the first response; 409 while the first ' +
      'request runs (`KEY_IN_USE`), when its outcome is unknown (`OUTCOME_UNKNOWN`), and for another request with the key.',
    schema: {
      type: 'string',
      pattern: String.raw`^\s*[\x21-\x7e]{1,202}\s*$`,
      examples: ['2f1c7b1e-8a3d-4f0a-9d55-0c6a4b1de3f7'],
    },
  };
}

const anyName: Schema = { type: 'string', minLength: 1 };

export function pathParameters({ schemas: { params } }: WithParameters, path: string): readonly Parameter[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(params?.json.properties[name] ?? anyName),
  }));
}

/** In a schema of the platform, the name of the component that the parameter is. */
const parameterName = 'parameterName';

function asComponent(parameter: Parameter): Parameter | Reference {
  const name = parameter.schema[parameterName];
  return typeof name === 'string' ? component('parameters', name) : parameter;
}

export function queryParameters({ options, schemas: { query } }: WithParameters): readonly Parameter[] {
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
