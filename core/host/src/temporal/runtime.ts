import type { Logger } from '@gantry/plugin-api';
import { DefaultLogger, Runtime, type LogLevel } from '@temporalio/worker';

let isInstalled = false;

/**
 * The one runtime of the process. Signals stay with the host: the runtime's own handlers would end the workers before
 * the host has drained.
 */
export function installRuntime(logger: Logger): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => forward(logger, level, message, meta)),
  });
}

function forward(logger: Logger, level: LogLevel, message: string, meta: object | undefined): void {
  const fields = { source: 'temporal', ...meta };
  if (level === 'ERROR') logger.error(fields, message);
  else if (level === 'WARN') logger.warn(fields, message);
  else logger.debug(fields, message);
}
