import type { CrashAttribution, HostedPlugin, HostMessage } from '@gantry/contracts';
import { isError } from '@gantry/core-common';
import { attributeStack } from './attribute-stack';
import { createExitGuard } from './exit-guard';
import { withinLimit, type PhaseLimit } from './phase-limit';
import type { AdmitsLine } from './plugin-services';

/** A run of plugin code. */
export interface PluginRun extends PhaseLimit {
  readonly plugin: string;
  /** One of the phases, or `stop`. */
  readonly phase: string;
}

/**
 * Runs code of a plugin.
 * @throws PluginTimeoutError, PluginExitError, or what the code threw
 */
export type RunPluginCode = <T>(run: PluginRun, code: () => T | Promise<T>) => Promise<T>;

/** The ways in which the host enters plugin code, and what it knows of the code that runs. */
export interface PluginExecution {
  /**
   * Runs a phase of a plugin. The launcher is notified before and after, so that a plugin which blocks or ends the process
   * is known; it waits no longer than the timeout; it keeps the code from ending the process.
   */
  readonly run: RunPluginCode;
  /** Runs code of a plugin when it is needed, such as the handler of a route. */
  enter<T>(plugin: string, code: () => T): T;
  /** To be called before code of these plugins runs. */
  announce(plugins: readonly HostedPlugin[]): void;
  /** The plugin whose code led to where the process is now. */
  current(): string | undefined;
  /** Counts a line that a plugin logs. */
  readonly admitsLine: AdmitsLine;
  /** The plugin that caused an uncaught error; to be called in the handler that receives it. */
  attribute(error: unknown): CrashAttribution | undefined;
  /** Ends the guard; code of plugins is not entered any more. */
  release(): void;
}

/** Functions of a host process around plugin code; a registry of a command has none. */
export interface ExecutionHooks {
  readonly notifyLauncher: (message: HostMessage) => void;
  /** Whether a line of a plugin is to be written; every line unless given. */
  readonly admitsLine?: AdmitsLine;
}

export function createPluginExecution(hooks: ExecutionHooks): PluginExecution {
  const { notifyLauncher, admitsLine = () => true } = hooks;
  let hosted: readonly HostedPlugin[] = [];
  const guard = createExitGuard((stack) => attributeStack(stack, hosted)?.plugin);
  return {
    run: async (run, code) => {
      const { plugin, phase } = run;
      const entering = (timeoutMs: number): void => notifyLauncher({ kind: 'entering', plugin, phase, timeoutMs });
      entering(run.timeoutMs);
      try {
        return await guard.watch(plugin, () => withinLimit(run, code, entering));
      } finally {
        notifyLauncher({ kind: 'left', plugin, phase });
      }
    },
    enter: guard.enter,
    announce: (plugins) => {
      hosted = plugins;
      notifyLauncher({ kind: 'plugins', plugins });
    },
    current: guard.current,
    admitsLine,
    attribute: (error) => attributeError(error, hosted) ?? contextOf(guard.current(), hosted),
    release: guard.release,
  };
}

/** Errors refer to those that caused them, and could do so in a circle. */
const maxCauses = 10;

function attributeError(error: unknown, plugins: readonly HostedPlugin[]): CrashAttribution | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < maxCauses && isError(cause); depth += 1) {
    const found = attributeStack(cause.stack ?? '', plugins);
    if (found !== undefined) return { plugin: found.plugin, evidence: 'stack-frames', detail: found.position };
    cause = cause.cause;
  }
  return undefined;
}

function contextOf(plugin: string | undefined, plugins: readonly HostedPlugin[]): CrashAttribution | undefined {
  if (plugin === undefined || !plugins.some(({ id }) => id === plugin)) return undefined;
  return { plugin, evidence: 'async-context', detail: 'started by its code' };
}
