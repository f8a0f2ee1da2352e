import { withRemedy } from './with-remedy';

/** Of a connection that was made, so that the request may have arrived. */
const endedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface Unanswered {
  /** The error of fetch. */
  readonly error: unknown;
  /** Whether the request asks for a change, which may have been made. */
  readonly isChange: boolean;
  /** How long the answer was waited for. */
  readonly timeoutMs?: number;
}

/** The error of a request to a platform that was not answered: what is known of it, and what to do. */
export function noAnswer(address: string, { error, isChange, timeoutMs }: Unanswered): Error {
  const platform = `The platform at ${address}`;
  const check = 'Check whether it is running, and read its log.';
  const look = isChange ? `Check first whether the change was made. ${check}` : check;
  if (error instanceof Error && error.name === 'TimeoutError') {
    const within = timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1_000} seconds`;
    return withRemedy(`${platform} does not answer ${within}.`, look, error, 'NO_ANSWER');
  }
  if (endedCodes.has(codeOf(error))) {
    return withRemedy(`${platform} ended the connection before it answered.`, look, error, 'NO_ANSWER');
  }
  return withRemedy(`${platform} cannot be reached.`, check, error, 'NO_ANSWER');
}

/** Of its cause: fetch itself only says that it failed. */
function codeOf(error: unknown): unknown {
  const { cause } = error instanceof Error ? error : {};
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
