import type { ErrorCode } from './errors';

/** A successful answer of every endpoint. @public */
export interface Success<T> {
  readonly data: T;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One problem with one part of the input. `path` names the property, `code` is a stable upper-snake word, usually one of `detailCatalogue`. @public */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A failed answer of every endpoint (decisions, "Envelope and errors"). @public */
export interface Failure {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
    readonly requestId: string;
  };
}
