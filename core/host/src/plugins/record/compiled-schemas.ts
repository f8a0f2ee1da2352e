import type { RequestSchema, RequestSchemas } from '@gantry/plugin-api';

/** A part of a request that a route may have a schema for. */
export type RequestPart = keyof RequestSchemas;

/** The schema of one part of a request. */
export interface CompiledSchema {
  readonly validate: RequestSchema['~standard']['validate'];
  /** The JSON Schema (draft 2020-12) of an object. */
  readonly json: ObjectSchema;
  /** The part may be missing. */
  readonly isOptional: boolean;
}

export interface ObjectSchema extends Readonly<Record<string, unknown>> {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
}

/** The schemas of a route, by part. */
export type CompiledSchemas = Readonly<Partial<Record<RequestPart, CompiledSchema>>>;
