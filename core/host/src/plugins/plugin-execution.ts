import type { CrashAttribution, HostedPlugin, HostMessage } from '@gantry/contracts';
import { attributeStack } from './attribute-stack';
import { createExitGuard } from './exit-guard';
import { isError } from './message-of';

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

/** The ways in which the host enters plugin code, and what it knows of the code that runs. */
export interface PluginExecution {
  /**
   * Runs a phase of a plugin. The outer process is told before and after, so that a plugin which blocks or ends the process
   * is known; it waits no longer than the timeout; it keeps the code from ending the process.
   */
  readonly run: RunPluginCode;
  /** Runs code of a plugin when it is needed, such as the handler of a route. */
  enter<T>(plugin: string, code: () => T): T;
  /** To be called before code of these plugins runs. */
  announce(plugins: readonly HostedPlugin[]): void;
  plugins(): readonly HostedPlugin[];
  /** The plugin at fault for an error that nobody caught; to be asked where it arrives. */
  attribute(error: unknown): CrashAttribution | undefined;
  /** Ends the guard; code of plugins is not entered any more. */
  release(): void;
}

/** What a host process does around plugin code beyond what every registry does. */
export interface ExecutionHooks {
  readonly tell: (message: HostMessage) => void;
  /** Called after each phase of a plugin, before anything else runs. */
  readonly afterRun?: (run: PluginRun) => void;
}

export function createPluginExecution({ tell, afterRun }: ExecutionHooks): PluginExecution {
  let hosted: readonly HostedPlugin[] = [];
  const guard = createExitGuard((stack) => attributeStack(stack, hosted)?.plugin);
  return {
    run: async (run, code) => {
      const { plugin, phase, timeoutMs } = run;
      tell({ kind: 'entering', plugin, phase, timeoutMs });
      try {
        return await guard.watch(plugin, () => withTimeout(timeoutMs, code));
      } finally {
        afterRun?.(run);
        tell({ kind: 'left', plugin, phase });
      }
    },
    enter: guard.enter,
    announce: (plugins) => {
      hosted = plugins;
      tell({ kind: 'plugins', plugins });
    },
    plugins: () => hosted,
    attribute: (error) => attributeError(error, hosted) ?? contextOf(guard.current(), hosted),
    release: guard.release,
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

/** Errors refer to those that caused them, and could do so in a circle. */
const maxCauses = 10;

function attributeError(error: unknown, plugins: readonly HostedPlugin[]): CrashAttribution | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < maxCauses && isError(cause); depth += 1) {
    const found = attributeStack(cause.stack ?? '', plugins);
    if (found !== undefined) return { plugin: found.plugin, evidence: 'stack-frames', detail: found.place };
    cause = cause.cause;
  }
  return undefined;
}

function contextOf(plugin: string | undefined, plugins: readonly HostedPlugin[]): CrashAttribution | undefined {
  if (plugin === undefined || !plugins.some(({ id }) => id === plugin)) return undefined;
  return { plugin, evidence: 'async-context', detail: 'started by its code' };
}
