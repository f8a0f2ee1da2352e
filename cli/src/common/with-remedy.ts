import type { FailureCode } from './failure-codes';

/** An error with a remedy; its code is that of the answer that is its cause, if there is one, unless given. */
export function withRemedy(message: string, remedy: string, cause?: unknown, code?: FailureCode): Error {
  const error = new Error(message, cause === undefined ? {} : { cause });
  return Object.assign(error, { remedy }, code === undefined ? {} : { code });
}
