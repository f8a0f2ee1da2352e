import { delimiter } from 'node:path';
import type { HostMessage, PluginDecision, Quarantine } from '@gantry/contracts';
import {
  createPhaseWatch,
  parseHostMessage,
  spawnChild,
  type Child,
  type ChildEnd,
  type Entered,
} from '@gantry/core-supervisor/child';
import { pick, systemEnvironment } from '../check-environment';
import type { CheckOptions } from '../check-options';
import type { CheckAnswer, CheckBegun, CheckFindings, CheckStart } from './check-messages';
import type { CheckProblemCode } from '../check-problems';
import { residentBytes } from '@gantry/core-common';

/** The memory limit of a check; a platform with all shipped plugins takes a fifth of it. */
const maxResidentBytes = 2 ** 30;
/** Of it for JavaScript alone, so that a heap that grows without end is reported as such. */
const maxHeapBytes = 768 * 2 ** 20;

const intervalMs = 100;

interface MemoryWatch {
  /** Whether the process was ended because it occupied more. */
  isExceeded(): boolean;
  stop(): void;
}

/** Ends a process that occupies more than {@link maxResidentBytes}. */
function watchMemory(child: Child): MemoryWatch {
  let isExceeded = false;
  const timer = setInterval(() => {
    const pid = child.reference?.pid;
    if (pid === undefined || (residentBytes(pid) ?? 0) < maxResidentBytes) return;
    isExceeded = true;
    child.kill('SIGKILL');
  }, intervalMs);
  return { isExceeded: () => isExceeded, stop: () => clearInterval(timer) };
}

/** A plugin that is checked. */
export interface Candidate {
  readonly id: string;
  /** The environment variables that are its own. */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

export interface CheckProcessOptions extends Pick<CheckOptions, 'config' | 'environment' | 'program' | 'signal'> {
  readonly candidates: readonly Candidate[];
  readonly decisions: ReadonlyMap<string, PluginDecision>;
  /** Packages among them that are not where the platform finds plugins. */
  readonly folders: readonly string[];
  /** Milliseconds for the check once its process is up; how long that takes says nothing about a plugin. */
  readonly timeoutMs: number;
}

export type CheckProcessOutcome =
  | { readonly kind: 'checked'; readonly findings: readonly CheckFindings[] }
  | {
      readonly kind: 'broken-off';
      /** The plugin whose code was at fault, where that is known. */
      readonly plugin?: string;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    };

/** How long after the time limit of its phase a plugin is at fault. */
const graceMs = 2_000;
/** In which the process has to be up, also on a machine that is busy with other things. */
const upTimeoutMs = 60_000;
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
    const isOther = guilty !== undefined && options.candidates.every(({ id }) => id !== guilty.plugin);
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
  let late: Entered | undefined;
  const phases = createPhaseWatch(graceMs, (entered) => {
    late = entered;
    child.kill('SIGKILL');
  });
  let onAnswer = (_answer: CheckAnswer): void => {};
  const answered = new Promise<CheckAnswer>((resolve) => {
    onAnswer = resolve;
  });
  const child = spawnChild({
    program: process.execPath,
    args: [`--max-old-space-size=${maxHeapBytes / 2 ** 20}`, options.program],
    cwd: options.config.project,
    env: {
      NODE_ENV: 'production',
      ...systemEnvironment(options.environment),
      ...Object.fromEntries(options.candidates.flatMap(({ settings }) => Object.entries(settings))),
    },
    isBackground: 'always',
    output: { onLine: () => {} },
    channel: {
      parse: parseCheckMessage,
      onMessage: (message) => {
        if (message.kind === 'entering') phases.entering(message, message.timeoutMs);
        else if (message.kind === 'left') phases.left(message);
        else if (message.kind === 'check-begun') clock.begin(child);
        else onAnswer(message);
      },
      startMessage: Promise.resolve(startMessageOf(options, quarantines)),
    },
    ...(signal === undefined ? {} : { signal }),
  });
  child.limit(upTimeoutMs);
  const memory = watchMemory(child);
  try {
    const answer = await Promise.race([answered, child.ended]);
    signal?.throwIfAborted();
    if ('findings' in answer) return { kind: 'answered', outcome: { kind: 'checked', findings: answer.findings } };
    if ('message' in answer) return { kind: 'answered', outcome: { ...answer, kind: 'broken-off' } };
    const isOutOfMemory = memory.isExceeded() || answer.lastError?.includes('heap out of memory') === true;
    return endOf(answer, phases.current(), { late, isOutOfMemory });
  } finally {
    memory.stop();
    clock.stop();
    phases.stop();
    child.kill('SIGKILL');
  }
}

type CheckMessage = CheckAnswer | CheckBegun | Extract<HostMessage, { readonly kind: 'entering' | 'left' }>;

/** Answers come from our code in the same version, so that their kind is enough. */
function parseCheckMessage(message: unknown): CheckMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind } = message as Partial<CheckMessage>;
  if (kind === 'checked' || kind === 'check-failed' || kind === 'check-begun') return message as CheckMessage;
  const parsed = parseHostMessage(message);
  return parsed?.kind === 'entering' || parsed?.kind === 'left' ? parsed : undefined;
}

/** All attempts share the time; that in which a process is not up yet is not counted. */
interface Clock {
  /** The process is up, and is ended when the time is over. */
  begin(child: Child): void;
  stop(): void;
}

function createClock(timeoutMs: number): Clock {
  let leftMs = timeoutMs;
  let begunAt: number | undefined;
  return {
    begin: (child) => {
      begunAt = Date.now();
      child.limit(leftMs);
    },
    stop: () => {
      if (begunAt !== undefined) leftMs -= Date.now() - begunAt;
      begunAt = undefined;
    },
  };
}

function endOf(
  { exitCode, signal, timedOut, lastError }: ChildEnd,
  entered: Entered | undefined,
  { late, isOutOfMemory }: { readonly late: Entered | undefined; readonly isOutOfMemory: boolean },
): AttemptEnd {
  const how = lastError ?? (signal === null ? `exit code ${exitCode ?? 'unknown'}` : signal);
  const guilty = late ?? entered;
  if (guilty === undefined) {
    return { kind: 'ended', how: timedOut ? 'it did not finish in time' : `its process ended (${how})` };
  }
  const { plugin, phase } = guilty;
  const guiltyOf = (code: string, reason: string): AttemptEnd => ({
    kind: 'ended',
    how,
    guilty: { plugin, phase, code, reason },
  });
  if (isOutOfMemory) return guiltyOf(memoryExceeded, `used more memory than a check allows during ${phase}`);
  if (late !== undefined || timedOut) return guiltyOf('PLUGIN_HUNG', `did not return from ${phase} in time`);
  return guiltyOf('PLUGIN_CRASHED', `ended the process during ${phase}: ${how}`);
}

const memoryExceeded: CheckProblemCode = 'CHECK_MEMORY_EXCEEDED';

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

function startMessageOf(
  { config, environment, candidates, decisions, folders }: CheckProcessOptions,
  quarantines: readonly Quarantine[],
): CheckStart {
  return {
    kind: 'start',
    environment: {
      ...pick(environment, () => true),
      GANTRY_HOME: config.home,
      GANTRY_PROJECT: config.project,
      GANTRY_PLUGIN_PATH: config.pluginPath.join(delimiter),
      GANTRY_ONLY: (config.only ?? []).join(','),
      DATABASE_URL: config.databaseUrl ?? '',
    },
    candidates: candidates.map(({ id }) => id),
    decisions: Object.fromEntries(decisions),
    folders: [...folders],
    quarantines: [...quarantines],
  };
}
