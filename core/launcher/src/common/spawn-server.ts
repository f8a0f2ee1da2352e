import { closeSync } from 'node:fs';
import { spawnChild } from '@gantry/core-supervisor/child';
import type { Child, ChildOptions } from '@gantry/core-supervisor/child';
import { openLog } from './log-file';

/**
 * Starts a server that outlives us and writes to a log.
 * @throws LauncherError when the log cannot be written; that the program cannot be run shows in the process
 */
export function spawnServer(
  program: string,
  args: readonly string[],
  logFile: string,
  options: Pick<ChildOptions<never>, 'cwd' | 'env' | 'identity'>,
): Child {
  const log = openLog(logFile);
  try {
    return spawnChild({ ...options, program, args, output: { log } });
  } finally {
    closeSync(log);
  }
}
