import type { Logger } from '@gantry/plugin-api';
import { createPluginExecution, type PluginExecution } from '../plugins';
import type { HostProcess } from './host-process';
import { protectIntrinsics } from './protect-intrinsics';
import { reportCrashes } from './report-crash';
import { watchHeap } from './watch-heap';

/** How often what plugins share with the host is looked after. */
const checkIntervalMs = 500;
/** Frames of a stack: those of a plugin may lie behind many of the packages that it uses. */
const stackTraceLimit = 30;

/** Enters plugin code so that no plugin ends, changes or fills the process for the others unnoticed. */
export function createGuardedExecution(own: HostProcess, logger: Logger): PluginExecution {
  Error.stackTraceLimit = stackTraceLimit;
  const intrinsics = protectIntrinsics(logger, (error, attribution) => crash(error, attribution));
  const execution = createPluginExecution({
    tell: own.send,
    afterRun: ({ plugin }) => intrinsics.afterPhase(plugin),
    afterSlice: intrinsics.afterSlice,
    suspect: intrinsics.suspect,
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
