import { errorCatalogue, type ErrorCode, type ErrorDetail } from '@gantry/contracts';

const brand = Symbol.for('gantry.error');

/** Optional data of an error, in addition to code and message. @public */
export interface GantryErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Response header fields that belong to the answer, for example `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * The error that reaches a client as it is: its code decides the HTTP status, its message is a sentence for a person.
 * Any other error becomes `INTERNAL` without its text.
 * @example throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`)
 * @public
 */
export class GantryError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: GantryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GantryError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/**
 * The error for one value of a request that cannot be accepted: `VALIDATION_FAILED` with one entry in `details`.
 * @param path of the value in the request, for example `reason` or `items[2].price`
 * @param message says what the value must be, for a person; the point at its end may be omitted
 * @param code of the entry in `details`
 * @example throw invalidValue('limit', 'limit must be a whole number from 1 to 100')
 * @public
 */
export function invalidValue(path: string, message: string, code = 'VALUE_INVALID'): GantryError {
  const sentence = message.endsWith('.') ? message : `${message}.`;
  return new GantryError('VALIDATION_FAILED', sentence, { details: [{ path, code, message }] });
}

/**
 * The error for one query parameter that cannot be accepted: `BAD_REQUEST` with one entry in `details`.
 * @param name of the parameter, which becomes the `path` of the entry
 * @param message says what the value must be, for a person; the point at its end may be omitted
 * @param code of the entry in `details`
 * @example throw invalidParameter('after', 'after must be the meta.nextCursor of the previous page')
 * @public
 */
export function invalidParameter(name: string, message: string, code = 'VALUE_INVALID', cause?: unknown): GantryError {
  const sentence = message.endsWith('.') ? message : `${message}.`;
  return new GantryError('BAD_REQUEST', sentence, { details: [{ path: name, code, message }], cause });
}

/** Recognises by brand, so that an error from another copy of this package counts too. @public */
export function isGantryError(value: unknown): value is GantryError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}
