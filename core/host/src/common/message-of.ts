import { isNativeError } from 'node:util/types';

/** The message of what third-party code threw, which need not be an error, nor one of this realm. */
export function messageOf(error: unknown): string {
  if (!isError(error)) return String(error);
  const cause = isError(error.cause) ? ` (${error.cause.message})` : '';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${cause}`;
}

/** Errors of another realm count, and those that came from another thread, as the module hooks of Node.js 20 throw them. */
export function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof Error;
}
