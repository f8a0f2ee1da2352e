import type { Method, RequestSchema, RouteOptions } from '@gantry/plugin-api';
import { messageOf } from '@gantry/core-common';
import type { CompiledSchema, CompiledSchemas, ObjectSchema, RequestPart } from '../record/compiled-schemas';

const parts = ['params', 'query', 'body'] as const satisfies readonly RequestPart[];

/** Makes a route's schemas ready: their JSON Schemas are made once. Runs code of the plugin's library. */
export function compileRouteSchemas(
  method: Method,
  path: string,
  options: RouteOptions,
): { readonly schemas: CompiledSchemas; readonly problems: readonly string[] } {
  const given = (options.schemas ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !(parts as readonly string[]).includes(name));
  const problems = unknown.map((name) => `schemas.${name} is not one of ${parts.join(', ')}`);
  const schemas: Partial<Record<RequestPart, CompiledSchema>> = {};
  for (const part of parts) {
    const schema = given[part];
    if (schema === undefined) continue;
    try {
      const compiled = compileSchema(schema);
      assertFits(part, compiled, method, path, options);
      schemas[part] = compiled;
    } catch (error) {
      problems.push(`schemas.${part} ${messageOf(error)}`);
    }
  }
  return { schemas, problems };
}

function compileSchema(schema: unknown): CompiledSchema {
  if (!isRequestSchema(schema)) {
    throw new Error('does not implement Standard Schema and Standard JSON Schema, as the schemas of zod 4.2 do');
  }
  const standard = schema['~standard'];
  const {
    $schema: _version,
    properties = {},
    required = [],
    ...json
  } = standard.jsonSchema.input({
    target: 'draft-2020-12',
  }) as Partial<ObjectSchema>;
  if (json['type'] !== 'object') throw new Error('does not describe an object');
  return Object.freeze({
    validate: (value: unknown) => standard.validate(value),
    json: { ...json, properties, required },
    isOptional: acceptsNothing(standard),
  });
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
  options: RouteOptions,
): void {
  if (part === 'params') {
    const unknown = Object.keys(json.properties).filter((name) => !new RegExp(`[:*]"?${name}\\b`).test(path));
    if (unknown.length > 0) throw new Error(`names ${unknown.join(', ')}, which the path does not have`);
  }
  if (part === 'query' && options.query !== undefined) throw new Error('makes the option query superfluous: remove it');
  if (part === 'body' && (method === 'GET' || method === 'DELETE' || (options.body ?? 'json') !== 'json')) {
    throw new Error('is given, but the route reads no JSON body');
  }
}
