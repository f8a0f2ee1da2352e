import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown at a plugin that asks the process to end. */
export class PluginExitError extends Error {
  override readonly name = 'PluginExitError';

  constructor(readonly call: string) {
    super(`${call} is not for plugins: a plugin that cannot go on throws an error`);
  }
}

/** One run of plugin code. */
interface GuardedRun {
  /** The first attempt to end the process, even if the plugin caught the error. */
  exit?: PluginExitError;
}

/** Keeps plugin code, as long as one of its runs is watched, from ending the process. The host's own code still may. */
export interface ExitGuard {
  /** @throws PluginExitError, also when the plugin caught it. */
  watch<T>(work: () => Promise<T>): Promise<T>;
}

export function createExitGuard(): ExitGuard {
  const runs = new AsyncLocalStorage<GuardedRun>();
  let active = 0;
  let restore: (() => void) | undefined;

  return {
    async watch(work) {
      if (active++ === 0) restore = intercept(runs);
      const run: GuardedRun = {};
      try {
        const result = await runs.run(run, work);
        if (run.exit) throw run.exit;
        return result;
      } catch (error) {
        throw run.exit ?? error;
      } finally {
        if (--active === 0) {
          restore?.();
          // Until Node 24, a storage in use makes every promise of the process dearer, also those that serve requests.
          runs.disable();
        }
      }
    },
  };
}

function intercept(runs: AsyncLocalStorage<GuardedRun>): () => void {
  const original: Pick<typeof process, 'exit' | 'abort' | 'kill'> = {
    exit: process.exit.bind(process),
    abort: process.abort.bind(process),
    kill: process.kill.bind(process),
  };
  const refuse = (call: string): void => {
    const run = runs.getStore();
    if (run === undefined) return;
    run.exit ??= new PluginExitError(call);
    throw run.exit;
  };
  process.exit = (code) => {
    refuse(`process.exit(${code ?? ''})`);
    return original.exit(code);
  };
  process.abort = () => {
    refuse('process.abort()');
    return original.abort();
  };
  process.kill = (pid, signal) => {
    if (pid === process.pid && signal !== 0) refuse('process.kill of its own process');
    return original.kill(pid, signal);
  };
  return () => Object.assign(process, original);
}
