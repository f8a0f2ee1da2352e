import type { components, paths } from './platform-types';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A path of the platform's own routes that answers a method. @public */
export type PlatformPath<M extends Method> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<Lowercase<M>, object>> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = P extends keyof paths
  ? paths[P] extends Readonly<Record<Lowercase<M>, infer O>>
    ? O
    : never
  : never;

/** The parts of a request to a path: parameters of the path and of the query, and a JSON body or a file. @public */
export type PlatformRequest<M extends Method, P extends keyof paths> = PlatformParameters<M, P> &
  ([FileOf<Operation<M, P>>] extends [never]
    ? PlatformBody<Operation<M, P>>
    : PlatformBody<Operation<M, P>> | { readonly file: FileOf<Operation<M, P>> });

/** The parameters of a path and of its query. @public */
export type PlatformParameters<M extends Method, P extends keyof paths> = Needed<'path', PathOf<Operation<M, P>>> &
  Needed<'query', RequiredQuery<Operation<M, P>>> &
  Offered<'query', OptionalQuery<Operation<M, P>>>;

type PlatformBody<O> = Needed<'body', RequiredBody<O>> & Offered<'body', OptionalBody<O>>;

/** A file that is sent instead of a JSON body. @public */
export interface PlatformFile<MediaType = string> {
  readonly mediaType: MediaType;
  readonly content: unknown;
}

type FileOf<O> = O extends { readonly requestBody: { readonly content: infer Content } }
  ? [Exclude<keyof Content, 'application/json'>] extends [never]
    ? never
    : PlatformFile<keyof Content>
  : never;

type Needed<Name extends string, T> = [T] extends [never] ? object : { readonly [N in Name]: T };
type Offered<Name extends string, T> = [T] extends [never] ? object : { readonly [N in Name]?: T };

type PathOf<O> = O extends { readonly parameters: { readonly path: infer Path } } ? PathTexts<Path> : never;
/** The text of a number has all its digits. */
type PathTexts<Path> = {
  readonly [Name in keyof Path]: Path[Name] extends number ? number | string : Path[Name];
};
type RequiredQuery<O> = O extends { readonly parameters: { readonly query: infer Query } } ? Sendable<Query> : never;
type OptionalQuery<O> = O extends { readonly parameters: { readonly query: unknown } }
  ? never
  : O extends { readonly parameters: { readonly query?: infer Query } }
    ? Sendable<Exclude<Query, undefined>>
    : never;
/** A parameter that is undefined is not sent. */
type Sendable<Query> = {
  readonly [Name in keyof Query]: object extends Pick<Query, Name> ? Query[Name] | undefined : Query[Name];
};
type RequiredBody<O> = O extends { readonly requestBody: JsonBody<infer B> } ? Unchanged<B> : never;
type OptionalBody<O> = O extends { readonly requestBody: unknown }
  ? never
  : O extends { readonly requestBody?: infer Given }
    ? ContentOf<Exclude<Given, undefined>>
    : never;
type ContentOf<Given> = Given extends JsonBody<infer B> ? Unchanged<B> : never;

interface JsonBody<B> {
  readonly content: { readonly 'application/json': B };
}

/** `data` and `meta` of the answer; both undefined where the route answers without a body. @public */
export type PlatformAnswer<M extends Method, P extends keyof paths> =
  Operation<M, P> extends { readonly responses: infer Responses }
    ? Envelope<Responses[keyof Responses & (200 | 201 | 202)]>
    : never;

type Envelope<Response> = [Response] extends [never]
  ? { readonly data: undefined; readonly meta: undefined }
  : Response extends { readonly content: { readonly 'application/json': infer Json } }
    ? Unchanged<Json>
    : never;

type Unchanged<T> = T extends readonly (infer Entry)[]
  ? readonly Unchanged<Entry>[]
  : T extends object
    ? { readonly [Key in keyof T]: Unchanged<T[Key]> }
    : T;

/** A named schema of the platform's own routes. @public */
export type PlatformSchema<Name extends keyof components['schemas']> = Unchanged<components['schemas'][Name]>;

/** Sends a request and gives the JSON of the answer. @public */
export type SendToPlatform<Options> = (
  method: Method,
  address: string,
  body: unknown,
  options: Options,
  file?: PlatformFile,
) => Promise<unknown>;

/** @public */
export type CallPlatform<Options> = <M extends Method, P extends PlatformPath<M>>(
  method: M,
  path: P,
  request: PlatformRequest<M, P>,
  ...options: undefined extends Options ? [options?: Options] : [options: Options]
) => Promise<PlatformAnswer<M, P>>;

/**
 * Calls the platform's own routes, with the types of their contracts.
 * @example
 * const call = createPlatformCaller((method, address, body) => send(method, address, body));
 * const \{ data \} = await call('POST', '/api/platform/webhooks/\{id\}/pause', \{ path: \{ id \} \});
 * @public
 */
export function createPlatformCaller<Options>(send: SendToPlatform<Options>): CallPlatform<Options> {
  return async (method, path, request, ...[options]) => {
    const { body, file, ...parameters } = request as Given;
    return (await send(method, addressOf(path, parameters), body, options as Options, file)) as never;
  };
}

/** The address of a path with its parameters, for a request whose answer is read while it arrives. @public */
export function platformAddress<M extends Method, P extends PlatformPath<M>>(
  _method: M,
  path: P,
  parameters: PlatformParameters<M, P>,
): string {
  return addressOf(path, parameters);
}

interface Given {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly file?: PlatformFile;
}

function addressOf(template: string, { path = {}, query = {} }: Given): string {
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? address : `${address}?${given}`;
}
