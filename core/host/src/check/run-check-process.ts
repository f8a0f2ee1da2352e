import { fork, type ChildProcess } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { HostMessage, PluginDecision, Quarantine } from '@gantry/contracts';
import type { CheckOptions } from './check-options';
import type { CheckAnswer, CheckBegun, CheckFindings, CheckRequest } from './check-messages';
import type { CheckProblemCode } from './check-problems';

export interface CheckProcessOptions extends Pick<CheckOptions, 'config' | 'environment' | 'signal'> {
  readonly ids: readonly string[];
  readonly decisions: ReadonlyMap<string, PluginDecision>;
  /** Milliseconds for the check once its process is up; how long that takes says nothing about a plugin. */
  readonly timeoutMs: number;
}

export type CheckProcessOutcome =
  | { readonly kind: 'checked'; readonly findings: readonly CheckFindings[] }
  | {
      readonly kind: 'broken-off';
      /** Whose code was at fault, where that is known. */
      readonly plugin?: string;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    };

/** The file that is forked, seen from the sources as well as from the build. */
const entry = join(__dirname, '..', '..', 'dist', 'check', 'check-process.js');
/** The process enforces the time limits of plugin code by itself; only when even that stays away is it stuck. */
const graceMs = 2_000;
/** In which the process has to be up, also on a machine that is busy with other things. */
const upWithinMs = 60_000;
/** Plugins that are enabled already and end the process are left out, as every start leaves them out. */
const attempts = 4;

/**
 * Runs the code of plugins in a separate process, which always ends, whatever they do.
 * @throws the signal's reason when it aborts
 */
export async function runCheckProcess(options: CheckProcessOptions): Promise<CheckProcessOutcome> {
  const clock = createClock(options.timeoutMs);
  let quarantines: readonly Quarantine[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const end = await attemptOnce(options, quarantines, clock);
    if (end.kind === 'answered') return end.outcome;
    const { guilty } = end;
    const isOther = guilty !== undefined && !options.ids.includes(guilty.plugin);
    if (!isOther || attempt === attempts) return brokenOff(end);
    quarantines = [...quarantines, guilty];
  }
}

type AttemptEnd =
  | { readonly kind: 'answered'; readonly outcome: CheckProcessOutcome }
  | { readonly kind: 'ended'; readonly how: string; readonly guilty?: Quarantine };

async function attemptOnce(
  options: CheckProcessOptions,
  quarantines: readonly Quarantine[],
  clock: Clock,
): Promise<AttemptEnd> {
  const { signal } = options;
  signal?.throwIfAborted();
  const child = fork(entry, [], {
    cwd: options.config.project,
    env: environmentOf(options),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  const entered = watchPlugins(child);
  const errors = collectErrors(child);
  const time = clock.start(child);
  const abort = (): void => kill(child);
  signal?.addEventListener('abort', abort);
  try {
    const request: CheckRequest = { ids: options.ids, decisions: [...options.decisions], quarantines };
    child.send(request, () => undefined);
    const answer = await answerOf(child);
    signal?.throwIfAborted();
    if ('findings' in answer) return { kind: 'answered', outcome: { kind: 'checked', findings: answer.findings } };
    if ('message' in answer) return { kind: 'answered', outcome: { ...answer, kind: 'broken-off' } };
    return endOf(answer, {
      entered: entered.current(),
      hung: entered.hung(),
      timedOut: time.isUp(),
      lastError: errors(),
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    time.stop();
    entered.stop();
    kill(child);
  }
}

interface Clock {
  /** Ends the process when its time is up. */
  start(child: ChildProcess): { isUp(): boolean; stop(): void };
}

/** All attempts share the time; that in which a process is not up yet is not counted. */
function createClock(timeoutMs: number): Clock {
  let leftMs = timeoutMs;
  return {
    start(child) {
      let isUp = false;
      let begunAt: number | undefined;
      const end = (): void => {
        isUp = true;
        kill(child);
      };
      let timer = setTimeout(end, upWithinMs);
      child.on('message', ({ kind }: CheckBegun | CheckAnswer | HostMessage) => {
        if (kind !== 'check-begun') return;
        clearTimeout(timer);
        begunAt = Date.now();
        timer = setTimeout(end, leftMs);
      });
      return {
        isUp: () => isUp,
        stop: () => {
          clearTimeout(timer);
          if (begunAt !== undefined) leftMs -= Date.now() - begunAt;
        },
      };
    },
  };
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

function answerOf(child: ChildProcess): Promise<CheckAnswer | Ended> {
  return new Promise((resolve) => {
    child.on('message', (message: CheckAnswer | HostMessage) => {
      if (message.kind === 'checked' || message.kind === 'check-failed') resolve(message);
    });
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    child.once('error', () => resolve({ exitCode: null, signal: null }));
  });
}

interface Circumstances {
  readonly entered: { readonly plugin: string; readonly phase: string } | undefined;
  readonly hung: boolean;
  readonly timedOut: boolean;
  readonly lastError: string | undefined;
}

function endOf({ exitCode, signal }: Ended, { entered, hung, timedOut, lastError }: Circumstances): AttemptEnd {
  const how = lastError ?? (signal === null ? `exit code ${exitCode ?? 'unknown'}` : signal);
  if (entered === undefined) {
    return { kind: 'ended', how: timedOut ? 'it did not finish in time' : `its process ended (${how})` };
  }
  const { plugin, phase } = entered;
  const [code, reason] =
    hung || timedOut
      ? (['PLUGIN_HUNG', `did not return from ${phase} in time`] as const)
      : (['PLUGIN_CRASHED', `ended the process during ${phase}: ${how}`] as const);
  return { kind: 'ended', how, guilty: { plugin, phase, code, reason } };
}

function brokenOff({ how, guilty }: Extract<AttemptEnd, { readonly kind: 'ended' }>): CheckProcessOutcome {
  if (guilty === undefined) {
    return {
      kind: 'broken-off',
      code: 'CHECK_BROKEN_OFF' satisfies CheckProblemCode,
      message: `The check ended early: ${how}`,
      remedy: 'Try again; run "gantry doctor" to check for common causes',
    };
  }
  return {
    kind: 'broken-off',
    plugin: guilty.plugin,
    code: guilty.code,
    message: `The plugin ${guilty.plugin} ${guilty.reason}`,
    remedy: 'Fix the plugin and build it again',
  };
}

function watchPlugins(child: ChildProcess) {
  let current: { readonly plugin: string; readonly phase: string } | undefined;
  let hung = false;
  let timer: NodeJS.Timeout | undefined;
  child.on('message', (message: HostMessage | CheckAnswer) => {
    if (message.kind === 'left') {
      clearTimeout(timer);
      current = undefined;
    } else if (message.kind === 'entering') {
      clearTimeout(timer);
      current = { plugin: message.plugin, phase: message.phase };
      timer = setTimeout(() => {
        hung = true;
        kill(child);
      }, message.timeoutMs + graceMs);
    }
  });
  return { current: () => current, hung: () => hung, stop: () => clearTimeout(timer) };
}

/** @returns a way to ask for the error that the process printed last */
function collectErrors(child: ChildProcess): () => string | undefined {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-8_000);
  });
  return () => text.split('\n').findLast((line) => /^(?:Uncaught )?\w*(?:Error|Exception)\b/.test(line));
}

/** With all that the plugins may have started. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function environmentOf({ config, environment }: CheckProcessOptions): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    ...environment,
    GANTRY_HOME: config.home,
    GANTRY_PROJECT: config.project,
    GANTRY_PLUGIN_PATH: config.pluginPath.join(delimiter),
    GANTRY_ONLY: (config.only ?? []).join(','),
    DATABASE_URL: config.databaseUrl ?? '',
  };
}
