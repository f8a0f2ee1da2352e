import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { closeSync } from 'node:fs';
import { openLog } from './log-file';

/**
 * Starts a server that outlives us and writes to a log. In a separate session: Ctrl-C in the terminal must reach only the
 * launcher, which then decides the order.
 * @throws LauncherError when the log cannot be written; that the program cannot be run shows in the process
 */
export function spawnServer(
  program: string,
  args: readonly string[],
  logFile: string,
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
): ChildProcess {
  const log = openLog(logFile);
  try {
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    // The outcome is read from the process and its log; an error event without a listener would end ours.
    child.on('error', () => {});
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}
