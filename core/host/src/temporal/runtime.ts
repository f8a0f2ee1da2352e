import type { Logger } from '@gantry/plugin-api';
import type { LogLevel } from '@temporalio/worker';

let isInstalled = false;

/**
 * The one runtime of the process. Signals stay with the host: the runtime's own handlers would end the workers before
 * the host has drained.
 */
export async function installRuntime(logger: Logger): Promise<void> {
  if (isInstalled) return;
  isInstalled = true;
  const { DefaultLogger, makeTelemetryFilterString, Runtime } = await import('@temporalio/worker');
  Runtime.install({
    shutdownSignals: [],
    // Without this, the native part writes its own lines to the terminal.
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => forward(logger, level, message, meta)),
  });
}

/** Of every service that has only workflows or only activities; the services are meant to be so. */
const expected = /^No (workflows|activities) registered, not polling/;

function forward(logger: Logger, level: LogLevel, message: string, meta: object | undefined): void {
  const fields = { source: 'temporal', ...meta };
  if (level === 'ERROR') logger.error(fields, message);
  else if (level === 'WARN' && !expected.test(message)) logger.warn(fields, message);
  else logger.debug(fields, message);
}
