import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown at a plugin that asks the process to end. */
export class PluginExitError extends Error {
  override readonly name = 'PluginExitError';

  constructor(readonly call: string) {
    super(`${call} must not be called by a plugin: a plugin that cannot continue throws an error`);
  }
}

/** One run of plugin code. */
interface GuardedRun {
  readonly plugin: string;
  /** The first attempt to end the process, even if the plugin caught the error. */
  exit?: PluginExitError;
}

/**
 * Knows which plugin the running code belongs to, timers and promises that it left behind included, and keeps plugin code
 * from ending the process. The host's own code still may.
 */
export interface ExitGuard {
  /** @throws PluginExitError when the code asked the process to end, also when the plugin caught it. */
  watch<T>(plugin: string, work: () => Promise<T>): Promise<T>;
  /** Runs code of a plugin whose end is not awaited, such as the handler of a route. */
  enter<T>(plugin: string, work: () => T): T;
  /** The plugin whose code led to where the process is now. */
  current(): string | undefined;
  /** Ends the guard. */
  release(): void;
}

/** @param ownerOf the plugin that a stack leads through, for code whose asynchronous context was lost */
export function createExitGuard(ownerOf: (stack: string) => string | undefined): ExitGuard {
  // Costs every promise about 0.1 µs until Node 24, and nothing from there on (docs/decisions/0006).
  const runs = new AsyncLocalStorage<GuardedRun>();
  let restore: (() => void) | undefined;
  const start = (plugin: string): GuardedRun => {
    restore ??= intercept(runs, ownerOf);
    return { plugin };
  };
  return {
    async watch(plugin, work) {
      const run = start(plugin);
      try {
        const result = await runs.run(run, work);
        if (run.exit) throw run.exit;
        return result;
      } catch (error) {
        throw run.exit ?? error;
      }
    },
    enter: (plugin, work) => runs.run(start(plugin), work),
    current: () => runs.getStore()?.plugin,
    release: () => {
      restore?.();
      restore = undefined;
      runs.disable();
    },
  };
}

function intercept(runs: AsyncLocalStorage<GuardedRun>, ownerOf: (stack: string) => string | undefined): () => void {
  const original: Pick<typeof process, 'exit' | 'abort' | 'kill' | 'disconnect'> = {
    exit: process.exit,
    abort: process.abort,
    kill: process.kill,
    disconnect: process.disconnect,
  };
  const refuse = (call: string): void => {
    const run = runs.getStore();
    const error = new PluginExitError(call);
    if (run === undefined && ownerOf(error.stack ?? '') === undefined) return;
    if (run === undefined) throw error;
    run.exit ??= error;
    throw run.exit;
  };
  process.exit = (...code) => {
    refuse(`process.exit(${code[0] ?? ''})`);
    // Called with undefined, it would forget the exit code that was set before.
    return original.exit.apply(process, code);
  };
  process.abort = () => {
    refuse('process.abort()');
    return original.abort.call(process);
  };
  process.kill = (pid, signal) => {
    const isPlatform = pid === process.pid || pid === process.ppid;
    if (isPlatform && signal !== 0) refuse('process.kill of the platform');
    return original.kill.call(process, pid, signal);
  };
  // Without its launcher, a host ends. A process that was started by nothing of the kind has no such function.
  if (typeof original.disconnect === 'function') {
    process.disconnect = () => {
      refuse('process.disconnect()');
      original.disconnect.call(process);
    };
  }
  return () => Object.assign(process, original);
}
