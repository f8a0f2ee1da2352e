import type { Logger } from '@gantry/plugin-api';
import type { LogLevel } from '../common/logger';
import { createPluginExecution, type PluginExecution } from '../plugins';
import type { HostProcess } from './host-process';
import { limitOutput } from './limit-output';
import { protectIntrinsics } from './protect-intrinsics';
import { reportCrashes } from './report-crash';
import { watchHeap } from './watch-heap';

/** How often what plugins share with the host is looked after. */
const checkIntervalMs = 500;
/** Frames of a stack: those of a plugin may be behind many of the packages that it uses. */
const stackTraceLimit = 30;

const levels = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, silent: 5 } as const;

/** Enters plugin code so that no plugin ends, changes or fills the process for the others unnoticed. */
export function createGuardedExecution(own: HostProcess, logger: Logger, logLevel: LogLevel): PluginExecution {
  Error.stackTraceLimit = stackTraceLimit;
  const current = (): string | undefined => execution.current();
  const output = limitOutput({ host: own, logger, current });
  const intrinsics = protectIntrinsics(logger, (error, attribution) => crash(error, attribution));
  const execution = createPluginExecution({
    notifyLauncher: own.send,
    afterRun: ({ plugin }) => intrinsics.afterPhase(plugin),
    afterSlice: intrinsics.afterSlice,
    suspect: intrinsics.suspect,
    // A line that no log takes does not count.
    admitsLine: (plugin, level, characters) => levels[level] < levels[logLevel] || output.admits(plugin, characters),
  });
  const crash = reportCrashes({ host: own, logger, attribute: execution.attribute });
  const heap = watchHeap(execution.plugins, (attribution) =>
    own.send({ kind: 'memory', ...(attribution === undefined ? {} : { attribution }) }),
  );
  own.every(checkIntervalMs, () => {
    if (!execution.isInPhase()) intrinsics.checkAll();
    heap.check();
  });
  return execution;
}
