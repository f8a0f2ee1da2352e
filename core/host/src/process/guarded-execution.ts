import type { Logger } from '@gantry/plugin-api';
import type { LogLevel } from '../common/logger';
import { createPluginExecution, type PluginExecution } from '@gantry/core-loader';
import type { HostProcess } from './host-process';
import { limitOutput } from './limit-output';
import { reportCrashes } from './report-crash';

/** Frames of a stack: those of a plugin may be behind many of the packages that it uses. */
const stackTraceLimit = 30;

const levels = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, silent: 5 } as const;

/** Enters plugin code so that no plugin ends the process or fills its output for the others unnoticed. */
export function createGuardedExecution(own: HostProcess, logger: Logger, logLevel: LogLevel): PluginExecution {
  Error.stackTraceLimit = stackTraceLimit;
  const output = limitOutput({ host: own, logger, current: () => execution.current() });
  const execution = createPluginExecution({
    notifyLauncher: own.send,
    // A line that no log takes does not count.
    admitsLine: (plugin, level, characters) => levels[level] < levels[logLevel] || output.admits(plugin, characters),
  });
  reportCrashes({ host: own, logger, attribute: execution.attribute });
  return execution;
}
