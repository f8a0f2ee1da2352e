/** A problem of one value of a request. @public */
export interface RequestErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A request that the platform refused. @public */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly status: number,
    /** As the page of errors lists them, for example `VALIDATION_FAILED`; empty when the answer has none. */
    readonly code: string,
    message: string,
    readonly details: readonly RequestErrorDetail[] = [],
  ) {
    super(message);
  }
}

/** By name and not by instanceof, so that it also holds for an error of another copy of this package. @public */
export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'RequestError' && 'status' in error;
}

/** The error of an answer that is not a success. */
export function errorOfAnswer(status: number, body: unknown): RequestError {
  const { code, message, details } = memberOf(body);
  return new RequestError(status, code ?? '', message ?? `The platform answered with status ${status}.`, details ?? []);
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly RequestErrorDetail[];
}

function memberOf(body: unknown): ErrorBody {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}
