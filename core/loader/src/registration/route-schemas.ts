import type { Method, OptionalAnswer, RequestSchema, Route, TextAnswer } from '@gantry/plugin-api';
import { messageOf } from '@gantry/core-common';
import type {
  CompiledSchema,
  CompiledSchemas,
  DescribedPart,
  NamedSchemas,
  ObjectSchema,
  RequestPart,
  RouteContract,
} from '../record/compiled-schemas';
import type { RegisteredOptions } from '../record/registered-plugin';

const parts = ['params', 'query', 'body'] as const satisfies readonly RequestPart[];

/**
 * Makes a route's schemas ready: their JSON Schemas are made once. Runs code of the plugin's library.
 * @param owner the plugin, which precedes the names of its schemas in OpenAPI; the platform unless given
 */
export function compileRouteSchemas(
  method: Method,
  path: string,
  options: RegisteredOptions,
  owner?: string,
): { readonly schemas: CompiledSchemas; readonly problems: readonly string[] } {
  const given = (options.schemas ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !(parts as readonly string[]).includes(name));
  const problems = unknown.map((name) => `schemas.${name} is not one of ${parts.join(', ')}`);
  const schemas: Partial<Record<RequestPart, CompiledSchema>> = {};
  for (const part of parts) {
    const schema = given[part];
    if (schema === undefined) continue;
    try {
      const compiled = compileSchema(schema, part, owner);
      assertFits(part, compiled, method, path, options);
      schemas[part] = compiled;
    } catch (error) {
      problems.push(`schemas.${part} ${messageOf(error)}`);
    }
  }
  return { schemas, problems };
}

/** Facts of a route that is declared with `route`, besides its schemas of requests. @throws Error for a schema that is none */
export function compileContract(route: Omit<Route, 'handler'>, owner?: string): RouteContract {
  const { operationId, description, presence, audit, limits, bodyLimit, upload, body, errors = [] } = route;
  const { answer, meta, status, streams, idempotency, tags, examples } = route;
  const text = isTextAnswer(answer) ? answer : undefined;
  const described = answer === undefined || text !== undefined ? undefined : describe(answer, owner);
  return {
    ...{ operationId, errors },
    ...statusesOf(status, text?.description ?? descriptionOf(described), answer !== undefined || streams !== undefined),
    ...given({
      ...{ owner, description, tags, examples, presence, audit, idempotency, limits, bodyLimit, answer: described },
      deprecated: route.deprecated && deprecationOf(route.deprecated),
      streams: streams && describeEach(streams, owner),
      mediaType: text?.mediaType,
      upload: body && upload,
      meta: meta && describe(meta, owner),
    }),
  };
}

/** As in RFC 9745: seconds since 1970. */
function deprecationOf(day: string): string {
  return `@${Date.parse(day) / 1_000}`;
}

/** The members that have a value. */
function given<T extends object>(members: T): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T> as never;
}

/** JSON Schemas by media type. @throws Error for a schema that is none */
export function describeEach(
  schemas: Readonly<Record<string, RequestSchema>>,
  owner?: string,
): Readonly<Record<string, DescribedPart>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describe(schema, owner)]));
}

function statusesOf(
  status: Route['status'],
  description: string | undefined,
  hasAnswer: boolean,
): Pick<RouteContract, 'status' | 'statuses'> {
  if (typeof status === 'object') return { statuses: status };
  if (!hasAnswer) return { status: 204, statuses: { 204: 'Done.' } };
  const one = status ?? 200;
  return { status: one, statuses: { [one]: description ?? 'The response.' } };
}

/** That of a schema with a name is part of the schema. */
function descriptionOf(part: DescribedPart | undefined): string | undefined {
  const { $ref, description } = part?.json ?? {};
  const found = typeof $ref === 'string' ? part?.named[$ref.split('/').at(-1) ?? '']?.['description'] : description;
  return typeof found === 'string' ? found : undefined;
}

function compileSchema(schema: unknown, part: RequestPart, owner: string | undefined): CompiledSchema {
  const { json: described, named } = describe(schema, owner);
  // That of a part that is missing is a value for the validator, which may not conform itself.
  const { properties = {}, required = [], default: _default, ...json } = described as Partial<ObjectSchema>;
  if (!isObject(described, named) && !(part === 'body' && takesArray(described))) {
    throw new Error('does not describe an object');
  }
  const standard = (schema as RequestSchema)['~standard'];
  return Object.freeze({
    validate: (value: unknown) => standard.validate(value),
    json: { ...json, ...(json['type'] === 'object' ? { properties, required } : {}) } as ObjectSchema,
    named,
    isOptional: acceptsNothing(standard),
    takesArray: takesArray(described),
  });
}

/** Of an answer, too, the JSON Schema of input: which values conform, and not what a validator would make of them. */
function describe(schema: unknown, owner: string | undefined): DescribedPart {
  if (!isRequestSchema(schema)) {
    throw new Error('does not implement Standard Schema and Standard JSON Schema, as the schemas of zod 4.2 do');
  }
  const prefix = owner === undefined ? '' : `${owner}.`;
  const described = withComponents(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }), prefix);
  const { $schema: _version, $defs = {}, ...json } = described;
  const named = Object.entries($defs as NamedSchemas).map(([name, one]) => [`${prefix}${name}`, one] as const);
  return { json, named: Object.fromEntries(named) };
}

/** Named schemas are components of the OpenAPI document. */
function withComponents(json: unknown, prefix: string): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(json), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string'
      ? value.replace(/^#\/\$defs\//, `#/components/schemas/${prefix}`)
      : value,
  ) as Readonly<Record<string, unknown>>;
}

function isTextAnswer(answer: OptionalAnswer): answer is TextAnswer {
  return 'mediaType' in (Object(answer) as object);
}

/** Plugins in plain JavaScript have no compiler that checks it. */
function isRequestSchema(schema: unknown): schema is RequestSchema {
  const standard = (schema as Readonly<Record<string, Unchecked>> | null)?.['~standard'];
  return typeof standard?.validate === 'function' && typeof standard.jsonSchema?.input === 'function';
}

interface Unchecked {
  readonly validate?: unknown;
  readonly jsonSchema?: { readonly input?: unknown };
}

function isObject(json: Readonly<Record<string, unknown>>, named: NamedSchemas): boolean {
  const alternatives = (json['anyOf'] ?? json['oneOf']) as readonly Readonly<Record<string, unknown>>[] | undefined;
  if (alternatives !== undefined) return alternatives.every((one) => isObject(one, named));
  const reference = json['$ref'];
  const referred = typeof reference === 'string' ? named[reference.split('/').at(-1) ?? ''] : undefined;
  return referred === undefined ? json['type'] === 'object' : isObject(referred, named);
}

/** Of a body: some are arrays. */
function takesArray({ type, anyOf, oneOf }: Readonly<Record<string, unknown>>): boolean {
  const alternatives = (anyOf ?? oneOf) as readonly Readonly<Record<string, unknown>>[] | undefined;
  return type === 'array' || (alternatives?.some((one) => takesArray(one)) ?? false);
}

function acceptsNothing(schema: RequestSchema['~standard']): boolean {
  const result = schema.validate(undefined);
  if (!(result instanceof Promise)) return result.issues === undefined;
  result.catch(() => undefined);
  return false;
}

function assertFits(
  part: RequestPart,
  { json }: CompiledSchema,
  method: Method,
  path: string,
  options: RegisteredOptions,
): void {
  if (part === 'body') {
    const usual = method === 'DELETE' ? 'none' : 'json';
    if (method !== 'GET' && (options.body ?? usual) === 'json') return;
    throw new Error('is given, but the route reads no JSON body');
  }
  // Their members are parameters.
  if (json['type'] !== 'object') throw new Error('does not describe an object');
  const unknown = Object.keys(json.properties).filter((name) => !new RegExp(`[:*]"?${name}\\b`).test(path));
  if (part === 'params' && unknown.length > 0) {
    throw new Error(`names ${unknown.join(', ')}, which the path does not have`);
  }
  if (part === 'query' && options.query !== undefined) throw new Error('makes the option query superfluous: remove it');
}
