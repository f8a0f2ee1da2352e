import pino from 'pino';
import type { Logger } from '@gantry/plugin-api';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Structured logs, one JSON line each; the launcher shows them as text on a terminal. */
export function createLogger(level: LogLevel): Logger {
  return pino(optionsFor(level)) as Logger;
}

/** For commands, whose standard output is their result: logs go to standard error. */
export function createStderrLogger(level: LogLevel): Logger {
  return pino(optionsFor(level), pino.destination(2)) as Logger;
}

function optionsFor(level: LogLevel): pino.LoggerOptions {
  return { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: loggedError } };
}

/** The logged members of an error. Its other members are omitted: errors of statements carry the values that clients sent. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // With the messages and stacks of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as { readonly code?: unknown };
  const parts = error instanceof AggregateError ? error.errors.map(loggedError) : undefined;
  return { type, message, stack, ...(code === undefined ? {} : { code }), ...(parts === undefined ? {} : { parts }) };
}
