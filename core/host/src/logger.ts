import pino from 'pino';
import type { Logger } from '@gantry/plugin-api';
import type { HostConfig } from './config';

/** Structured logs, one JSON line each; the outer process shows them as text on a terminal. */
export function createLogger(level: HostConfig['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }) as Logger;
}

/** For commands, whose standard output is their result: logs go to standard error. */
export function createStderrLogger(level: HostConfig['logLevel']): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2)) as Logger;
}
