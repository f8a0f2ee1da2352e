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
  let restore: () => void = () => undefined;

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
        if (--active === 0) restore();
      }
    },
  };
}

function intercept(runs: AsyncLocalStorage<GuardedRun>): () => void {
  const { exit, abort, kill } = process;
  const refuse = (call: string): void => {
    const run = runs.getStore();
    if (run === undefined) return;
    run.exit ??= new PluginExitError(call);
    throw run.exit;
  };
  process.exit = (code?: string | number | null): never => {
    refuse(`process.exit(${code ?? ''})`);
    return exit.call(process, code);
  };
  process.abort = (): never => {
    refuse('process.abort()');
    return abort.call(process);
  };
  process.kill = (pid: number, signal?: string | number): true => {
    if (pid === process.pid && signal !== 0) refuse('process.kill of this process');
    return kill.call(process, pid, signal);
  };
  return () => Object.assign(process, { exit, abort, kill });
}
