import type { ErrorCode, ItemAction } from '@gantry/contracts';
import type {
  AnswerStatus,
  RequestSchema,
  RequestSchemas,
  RouteExample,
  RouteLimits,
  StreamedBody,
} from '@gantry/plugin-api';

/** A part of a request that a route may have a schema for. */
export type RequestPart = keyof RequestSchemas;

/** The schema of one part of a request. */
export interface CompiledSchema {
  readonly validate: RequestSchema['~standard']['validate'];
  /** The JSON Schema (draft 2020-12) of an object, without the schemas that it refers to by name. */
  readonly json: ObjectSchema;
  readonly named: NamedSchemas;
  /** The part may be missing. */
  readonly isOptional: boolean;
  /** A body that may be an array. */
  readonly takesArray: boolean;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas by name, to which others refer as `#/components/schemas/<name>`. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

export interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The schemas of a route, by part. */
export type CompiledSchemas = Readonly<Partial<Record<RequestPart, CompiledSchema>>>;

/** The JSON Schema of a part of an answer. */
export interface DescribedPart {
  readonly json: JsonSchema;
  readonly named: NamedSchemas;
}

/** Facts of a route that is declared with `route`, besides its schemas of requests. */
export interface RouteContract {
  readonly operationId: string;
  /** Of the operation; the one of the platform unless given, and of a plugin besides its own. */
  readonly tags?: readonly string[];
  /** The value of the header `Deprecation`. */
  readonly deprecated?: string;
  readonly examples?: Readonly<Record<string, RouteExample>>;
  /** The request may say which version of the item it expects or has already. */
  readonly precondition?: 'read' | 'write' | undefined;
  /** Name of the schema of the whole answer, with its envelope. */
  readonly envelope?: string | undefined;
  /** Names of headers that successful answers have. */
  readonly headers?: readonly string[] | undefined;
  /** The numbers of the body have all digits that were sent. */
  readonly keepsNumbers?: true | undefined;
  /** A route of the platform whose path names an item type: OpenAPI describes it for each type, or each that is written. */
  readonly ofType?: 'every' | 'written' | undefined;
  /** Its action on items of the type; a caller who may not is not shown the route. */
  readonly action?: ItemAction | undefined;
  /** The code for a body that does not conform; VALIDATION_FAILED unless given. */
  readonly refusal?: 'BAD_REQUEST' | undefined;
  /** Descriptions of a file by media type. */
  readonly formats?: Readonly<Record<string, DescribedPart>> | undefined;
  /** The plugin; undefined for a route of the platform. */
  readonly owner?: string;
  readonly description?: string;
  readonly presence?: true;
  readonly audit?: string;
  readonly idempotency?: 'optional' | 'required';
  readonly errors: readonly ErrorCode[];
  readonly limits?: RouteLimits;
  /** A file that may be sent instead of the JSON body. */
  readonly upload?: StreamedBody;
  /** Bytes. */
  readonly bodyLimit?: number;
  /** Undefined where the handler chooses one of {@link statuses}. */
  readonly status?: number;
  /** The meaning of each of its statuses. */
  readonly statuses: Readonly<Partial<Record<AnswerStatus | 204 | 304, string>>>;
  readonly answer?: DescribedPart;
  /** Of answers that are sent piece by piece: what they are by media type. */
  readonly streams?: Readonly<Record<string, DescribedPart>>;
  /** Media type of an answer that is text instead of the envelope. */
  readonly mediaType?: string;
  readonly meta?: DescribedPart;
}

/** The named schemas of a route. */
export function namedSchemas(
  schemas: CompiledSchemas,
  contract: RouteContract | undefined,
): readonly (readonly [name: string, schema: JsonSchema])[] {
  const { answer, meta, streams = {}, formats = {} }: Partial<RouteContract> = contract ?? {};
  const parts = [...Object.values(schemas), answer, meta, ...Object.values(streams), ...Object.values(formats)];
  return parts.flatMap((part) => Object.entries(part?.named ?? {}));
}

/** Names that have another schema in a route than in one before it. */
export function clashingNames(
  routes: readonly (readonly [CompiledSchemas, RouteContract | undefined])[],
): readonly string[] {
  const known = new Map<string, string>();
  const clashing = new Set<string>();
  for (const [name, schema] of routes.flatMap((route) => namedSchemas(...route))) {
    const json = JSON.stringify(schema);
    if ((known.get(name) ?? json) !== json) clashing.add(name);
    known.set(name, json);
  }
  return [...clashing];
}
