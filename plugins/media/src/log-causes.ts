import { isGantryError, type Logger } from '@gantry/plugin-api';

/** Logs why something was unavailable: the client learns only that it was, and the host does not log the message to a client. */
export function logCauses<A extends readonly unknown[], R>(
  logger: Logger,
  handler: (...given: A) => R | Promise<R>,
): (...given: A) => Promise<R> {
  return async (...given) => {
    try {
      return await handler(...given);
    } catch (error) {
      if (isGantryError(error) && error.code === 'UNAVAILABLE' && error.cause !== undefined) {
        logger.warn({ err: error.cause }, error.message);
      }
      throw error;
    }
  };
}
