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
  /** The first items that have the problem; the ids are text, which keeps all digits. */
  readonly items?: readonly { readonly id: string; readonly label: string }[];
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
