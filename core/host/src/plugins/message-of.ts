import { isNativeError } from 'node:util/types';

/** The message of what third-party code threw, which need not be an error, nor one of this realm. */
export function messageOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  const cause = isNativeError(error.cause) ? ` (${error.cause.message})` : '';
  return `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}${cause}`;
}
