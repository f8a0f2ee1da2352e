import type { ErrorCode } from '@gantry/contracts';
import type { Caller } from './caller';
import type { Method, RouteRequest, StreamedBody } from './route-request';
import type { RequestSchema } from './request-schema';

/**
 * Who may call a route: everybody, who may read items (every user who has a role, and requests without a credential while the role
 * `public` shows items), every user who has a role, or users whose roles have the permission. A public route has `limits` and, where
 * it may get a body, a `bodyLimit`.
 * @public
 */
export type RouteAccess = 'public' | 'items' | 'signed-in' | { readonly permission: string };

/** The share of a route that one user, or one address without a credential, may take. More is refused with TOO_MANY_REQUESTS. @public */
export interface RouteLimits {
  /** Requests that the handler works on at the same time. */
  readonly share: number;
  /** Requests within a time; `false` where the handler counts itself what has to be limited, such as wrong passwords. */
  readonly rate: RouteRate | false;
  /** Requests of all callers together that the handler works on at the same time; more are refused with UNAVAILABLE. */
  readonly max?: number;
  /** In the words of a sentence, for example `exports`: routes with the same name share what they may take. */
  readonly name?: string;
}

/** @public */
export interface RouteRate {
  readonly requests: number;
  readonly seconds: number;
}

/** The statuses of answers that are no errors of the platform's table, and 503 for the state of something. @public */
export type AnswerStatus = 200 | 201 | 202 | 302 | 303 | 503;

/** The one status of the answers of a route, or all of them with what each means. @public */
export type RouteStatus = 200 | 201 | 202 | Readonly<Partial<Record<AnswerStatus, string>>>;

/** The names of the parameters of a path: `id` of `/recipes/:id`. @public */
export type PathParameter<Path extends string> = string extends Path
  ? string
  : Path extends `${infer Segment}/${infer Rest}`
    ? PathParameter<Segment> | PathParameter<Rest>
    : Path extends `:${infer Name}`
      ? Name
      : never;

/** A schema of the parameters of a path names no others. @public */
export type ParametersOf<Path extends string, Params> = Params extends {
  readonly '~standard': { readonly types?: { readonly input: infer Input } | undefined };
}
  ? [Exclude<keyof Input, PathParameter<Path>>] extends [never]
    ? unknown
    : { readonly notInPath: Exclude<keyof Input, PathParameter<Path>> }
  : unknown;

/** The schema of the parameters of a path; without one they are texts. @public */
export type PathSchema<Path extends string, Params> = Params extends RequestSchema
  ? Params
  : RequestSchema<Readonly<Record<PathParameter<Path>, string>>>;

/** A schema that a route may have for a part of its contract. @public */
export type OptionalSchema = RequestSchema | undefined;

/** An answer that is text of a media type instead of the envelope. @public */
export interface TextAnswer {
  readonly mediaType: string;
  readonly description: string;
}

/**
 * Answers that are sent piece by piece while the client reads them: the schema of the whole by media type. Of `text/event-stream`, it is the
 * schema of each event: an object with `event`, `id` and `data`.
 * @public
 */
export type AnswerStreams = Readonly<Record<string, RequestSchema>>;

/** An event of a stream of the media type `text/event-stream`. @public */
export interface ServerEvent {
  /** `message` unless given. */
  readonly event?: string;
  /** A client that connects again sends that of its last event as `Last-Event-ID`. */
  readonly id?: string;
  readonly data: string;
}

/** A piece of a stream: text, bytes, or an event. @public */
export type StreamPiece = string | Uint8Array | ServerEvent;

/**
 * An answer that is sent while it is made. The next piece is asked for when the client has taken the one before. What fails before the
 * first piece is answered as any error; after it, the connection breaks. Streams of events have a heartbeat, and end when the
 * credential of the caller does.
 * @public
 */
export interface StreamResult<MediaType> {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly mediaType: MediaType;
  readonly stream: AsyncIterable<StreamPiece>;
  /** The client stores the stream as a file of this name. */
  readonly fileName?: string;
}

/** Examples of requests and answers. @public */
export interface RouteExample {
  readonly summary?: string;
  readonly body?: unknown;
  /** `data` of the answer, or its text. */
  readonly answer?: unknown;
}

/** The description of an answer. @public */
export type OptionalAnswer = OptionalSchema | TextAnswer;

/** Schemas of what a request brings. Where it may bring a file instead of the JSON body, the body may be undefined. @public */
export interface RequestParts<Params, Query, Body, Upload = undefined> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Upload extends StreamedBody
    ? Body extends RequestSchema<infer Value>
      ? RequestSchema<Value | undefined>
      : Body
    : Body;
}

/**
 * A value that conforms to a schema, which the handler need not be able to change.
 * @public
 */
export type Immutable<Value> = Value extends string | number | boolean | bigint
  ? Value
  : Value extends readonly (infer Entry)[]
    ? readonly Immutable<Entry>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
      : Value;

/** The value that a schema describes; undefined without a schema. @public */
export type ValueOf<Schema> = Schema extends RequestSchema<infer Value> ? Immutable<Value> : undefined;

/** Subject and detail of a request in the audit log, besides its action. @public */
export interface AuditedSubject {
  /** For example `webhook:wh_1`. */
  readonly subject: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Arguments of a handler besides the parts of the request. @public */
export interface RouteCall {
  /** Notes in the audit log what was done, with the action that the route has as `audit`. @param entry undefined where nothing was done */
  audit(entry: AuditedSubject | undefined): Promise<void>;
}

/**
 * The result of a handler: `data` and `meta` of the envelope as the schemas of the route have them. `json` is the text of `data` where it
 * is JSON already, for example made by PostgreSQL; it is sent as it is. `status` is one of those of the route, where it names several;
 * a redirect has a `location` and no data.
 * @public
 */
export type RouteResult<Answer, Meta, Status = undefined, Streams = undefined> =
  | (Streams extends object ? StreamResult<keyof Streams> : never)
  | (Streams extends object
      ? Answer extends object
        ? WholeResult<Answer, Meta, Status>
        : never
      : WholeResult<Answer, Meta, Status>);

/** An answer that is made before it is sent. @public */
export type WholeResult<Answer, Meta, Status> = {
  /** A list gives the header several times, such as Set-Cookie. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
} & (Status extends object ? ResultWithStatus<Answer, Meta, keyof Status> : RouteContent<Answer, Meta>);

/** The result of a handler with one of several statuses. @public */
export type ResultWithStatus<Answer, Meta, Status> =
  | RedirectWith<Extract<Status, 302 | 303>>
  | ContentWith<Answer, Meta, Exclude<Status, 302 | 303>>;

/** @public */
export type RedirectWith<Status> = [Status] extends [never]
  ? never
  : { readonly status: Status; readonly location: string };

/** @public */
export type ContentWith<Answer, Meta, Status> = [Status] extends [never]
  ? never
  : { readonly status: Status } & RouteContent<Answer, Meta>;

/** The parts of the envelope, or the text that is sent instead of it. @public */
export type RouteContent<Answer, Meta> = (Answer extends RequestSchema
  ? { readonly data: ValueOf<Answer> } | { readonly json: string }
  : Answer extends TextAnswer
    ? { readonly text: string }
    : object) &
  (Meta extends RequestSchema ? MetaOf<ValueOf<Meta>> : object);

/** May be left out where all its members may. @public */
export type MetaOf<Value> = object extends Value ? { readonly meta?: Value } : { readonly meta: Value };

/** Who calls a route: nobody is known to a public one, and to one with the access `items` where the role `public` calls it. @public */
export type CallerWith<Access> = Access extends 'public'
  ? undefined
  : Access extends 'items'
    ? Caller | undefined
    : Caller;

/**
 * The contract of a route and its handler. The platform answers requests by it: it refuses what does not conform, with all problems at
 * once, and describes the route in OpenAPI.
 * @public
 */
export interface RouteDefinition<
  Params,
  Query,
  Body,
  Answer,
  Meta,
  Access extends RouteAccess = RouteAccess,
  Status extends RouteStatus | undefined = RouteStatus | undefined,
  Upload extends StreamedBody | undefined = StreamedBody | undefined,
  Call = RouteCall,
  Services = undefined,
  Streams extends AnswerStreams | undefined = AnswerStreams | undefined,
  Path extends string = string,
> {
  readonly method: Method;
  /** Express 5 path from the root, for example `/workflows/:workflowId`. */
  readonly path: Path;
  /** Names the operation in OpenAPI; clients call it by this name, so that it stays. */
  readonly operationId: string;
  /** The effect of the route, in a few words. */
  readonly summary: string;
  /** Facts that the summary leaves out: effects, errors, units. */
  readonly description?: string;
  /** Groups of operations in OpenAPI, besides that of the plugin. */
  readonly tags?: readonly string[];
  /**
   * The day since which clients should use something else, which the description names: `2026-12-01`. Answers have it in the header
   * `Deprecation` (RFC 9745).
   */
  readonly deprecated?: string;
  /** By name, for the description in OpenAPI. What does not conform to the schemas is refused. */
  readonly examples?: Readonly<Record<string, RouteExample>>;
  readonly access: Access;
  readonly limits?: RouteLimits;
  /** Bytes of the JSON body at most, where that is less than the platform takes. */
  readonly bodyLimit?: number;
  /**
   * The request makes something that outlasts its credential, such as a password or a key: it needs a proof of presence, or an API token that was
   * made for it.
   */
  readonly presence?: true;
  /**
   * The request may or must have an `Idempotency-Key`. When it comes again with the key within a day, the first answer is found and the
   * handler does not run again. The answer is stored: not for secrets. Not for uploads, streams and routes that need a proof of presence.
   */
  readonly idempotency?: 'optional' | 'required';
  /** The action of each request that succeeds in the audit log; the handler notes what it was done to with `call.audit`. */
  readonly audit?: string;
  /** Codes of errors of the handler that do not follow from the rest, for the description in OpenAPI. */
  readonly errors?: readonly ErrorCode[];
  /** Of the parameters of the path; any text unless given. */
  readonly params?: Params & ParametersOf<Path, Params>;
  /** Of the query; one without schema has no parameters. */
  readonly query?: Query;
  /** Of the JSON body; a request without a body is undefined to it. */
  readonly body?: Body;
  /** A file, which the handler reads from `upload` while it arrives; with `body`, the Content-Type decides which of them it is. */
  readonly upload?: Upload;
  /** Of `data` in the answer, or its text; without it, the answer is 204. The JSON Schema describes it, nothing is parsed by it. */
  readonly answer?: Answer;
  /** Answers that the handler may give instead, piece by piece. */
  readonly streams?: Streams;
  /** Of `meta` in the answer. */
  readonly meta?: Meta;
  /** Of the answer: 200 unless given, or 204 without a schema of it. */
  readonly status?: Status;
  readonly handler: (
    call: RouteRequest<RequestParts<PathSchema<Path, Params>, Query, Body, Upload>, CallerWith<Access>> & Call,
    services: Services,
  ) => Promise<RouteResult<Answer, Meta, Status, Streams>>;
}

/** A route whose types are checked. `services` is what its handler needs besides the request. @public */
export interface Route<Services = undefined> extends Omit<
  RouteDefinition<OptionalSchema, OptionalSchema, OptionalSchema, OptionalAnswer, OptionalSchema>,
  'handler'
> {
  readonly handler: (call: never, services: Services) => Promise<object>;
}

/**
 * Declares a route: the one statement of what it takes and answers.
 * @example
 * ctx.router.add(
 *   route(\{
 *     method: 'GET',
 *     path: '/recipes/quickest',
 *     operationId: 'quickestRecipe',
 *     summary: 'The recipe that takes the least time',
 *     access: 'signed-in',
 *     answer: z.object(\{ title: z.string(), minutes: z.int() \}),
 *     handler: async () => (\{ data: await quickest() \}),
 *   \}),
 * );
 * @public
 */
export function route<
  Params extends OptionalSchema = undefined,
  Query extends OptionalSchema = undefined,
  Body extends OptionalSchema = undefined,
  Answer extends OptionalAnswer = undefined,
  Meta extends OptionalSchema = undefined,
  Access extends RouteAccess = RouteAccess,
  Status extends RouteStatus | undefined = undefined,
  Upload extends StreamedBody | undefined = undefined,
  Streams extends AnswerStreams | undefined = undefined,
  Path extends string = string,
>(
  definition: RouteDefinition<
    Params,
    Query,
    Body,
    Answer,
    Meta,
    Access,
    Status,
    Upload,
    RouteCall,
    undefined,
    Streams,
    Path
  >,
): Route {
  return Object.freeze({ ...definition });
}
