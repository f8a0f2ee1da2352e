import pino from 'pino';
import type { Logger } from '@gantry/plugin-api';
import { isGantryError } from '@gantry/plugin-api/errors';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Structured logs, one JSON line each; the launcher shows them as text on a terminal. */
export function createLogger(level: LogLevel, destination: pino.DestinationStream = pino.destination(1)): Logger {
  return pino(optionsFor(level), destination) as Logger;
}

/** For commands, whose standard output is their result: logs go to standard error. */
export function createStderrLogger(level: LogLevel): Logger {
  return createLogger(level, pino.destination(2));
}

function optionsFor(level: LogLevel): pino.LoggerOptions {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggedError, error: loggedError },
  };
}

/**
 * The logged members of an error; the details are those of a GantryError. Its other members are omitted: errors of statements carry the
 * values that clients sent. Workers of Temporal log theirs as `error`.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // With the messages and stacks of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as { readonly code?: unknown };
  const parts = error instanceof AggregateError ? error.errors.map(loggedError) : undefined;
  const details = isGantryError(error) ? error.details : undefined;
  return {
    ...{ type, message, stack },
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
    ...(parts === undefined ? {} : { parts }),
  };
}
