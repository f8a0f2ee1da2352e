import type { HostMessage } from '@gantry/contracts';
import { createExitGuard } from './exit-guard';

/** Thrown when plugin code did not finish in time. */
export class PluginTimeoutError extends Error {
  override readonly name = 'PluginTimeoutError';

  constructor(readonly timeoutMs: number) {
    super(`It did not finish within ${timeoutMs / 1000} s`);
  }
}

/** What a run of plugin code is. */
export interface PluginRun {
  readonly plugin: string;
  /** One of the phases, or `stop`. */
  readonly phase: string;
  readonly timeoutMs: number;
}

/**
 * Runs code of a plugin.
 * @throws PluginTimeoutError, PluginExitError, or what the code threw
 */
export type RunPluginCode = <T>(run: PluginRun, code: () => T | Promise<T>) => Promise<T>;

/**
 * The one way in which the host enters plugin code. It tells the outer process before and after, so that a plugin which
 * blocks or ends the process is known; it waits no longer than the time-out; it keeps the code from ending the process.
 */
export function createPluginRunner(tell: (message: HostMessage) => void): RunPluginCode {
  const guard = createExitGuard();
  return async (run, code) => {
    const { plugin, phase, timeoutMs } = run;
    tell({ kind: 'entering', plugin, phase, timeoutMs });
    try {
      return await guard.watch(() => withTimeout(timeoutMs, code));
    } finally {
      tell({ kind: 'left', plugin, phase });
    }
  };
}

async function withTimeout<T>(timeoutMs: number, code: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PluginTimeoutError(timeoutMs)), timeoutMs);
  });
  try {
    // The race also observes a late rejection of the code, so that it does not count as unhandled.
    return await Promise.race([Promise.resolve().then(code), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
