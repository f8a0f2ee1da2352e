import type { Caller } from './caller';
import type { Parsed } from './request-schema';

/** A method that a plugin's route can answer; HEAD and OPTIONS come by themselves. @public */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A request to a plugin's route, already past the gate, with query and body parsed. Parts for which the route has a schema are
 * what the schema makes of them.
 * @public
 */
export interface RouteRequest<Schemas = unknown, Who = Caller> {
  readonly params: Parsed<Schemas, 'params', Readonly<Record<string, string>>>;
  readonly query: Parsed<Schemas, 'query', Readonly<Record<string, string>>>;
  /** The parsed JSON body; undefined without one. */
  readonly body: Parsed<Schemas, 'body', unknown>;
  /** The body of a route whose options ask for a `StreamedBody`; undefined for any other route. */
  readonly upload?: RouteUpload;
  readonly caller: Who;
  readonly requestId: string;
  /** Aborts when the client closes the connection or the host stops. */
  readonly signal: AbortSignal;
}

/** A body that the route reads itself while it arrives, for example a file. @public */
export interface StreamedBody {
  /** Media types that the route takes: `application/pdf`, `image/*`; any other Content-Type is a 415. */
  readonly mediaTypes: readonly string[];
  /** Bytes at most; more is a 413. */
  readonly limit: number;
}

/** The body of a request that its route reads while it arrives. @public */
export interface RouteUpload {
  /** The Content-Type of the request without parameters, in lower case. It is what the client says, not what the bytes are. */
  readonly mediaType: string;
  /** That of the Content-Type, in lower case. */
  readonly charset?: string;
  /**
   * The bytes, to be read once.
   * @throws GantryError PAYLOAD_TOO_LARGE past the limit, BAD_REQUEST when the client breaks off
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}
