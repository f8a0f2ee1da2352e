import { isNativeError } from 'node:util/types';

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Name, message and cause of what third-party code threw, which need not be an error, nor one of this realm. */
export function describeError(error: unknown): string {
  if (!isError(error)) return String(error);
  const cause = isError(error.cause) ? ` (${error.cause.message})` : '';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${cause}`;
}

/** Errors of another realm count, and those that came from another thread, as the module hooks of Node.js 20 throw them. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error;
}

/** The `code` of a system or PostgreSQL error, such as ENOENT or 28P01. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
