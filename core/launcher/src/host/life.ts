import type { Quarantine } from '@gantry/contracts';
import { backoff } from '../backoff';

/** How one host process lived and ended. */
export interface Life {
  readonly wasReady: boolean;
  readonly uptimeMs: number;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Sent by a host that cannot serve and knows why. */
  readonly fatal?: { readonly code: string; readonly message: string; readonly remedy: string };
  /** The plugin whose code ran at the end. */
  readonly entered?: { readonly plugin: string; readonly phase: string };
  /** Why the outer process killed it, if it did. */
  readonly killedFor?: 'plugin-silent' | 'host-silent';
  /** An error that the process printed shortly before its end. */
  readonly lastError?: string;
}

/** What earlier lives of the same start left behind. */
export interface History {
  readonly quarantines: readonly Quarantine[];
  readonly everReady: boolean;
  /** Ends in a row that no plugin is to blame for. */
  readonly crashes: number;
}

export const noHistory: History = { quarantines: [], everReady: false, crashes: 0 };

export type NextStep =
  | { readonly kind: 'restart'; readonly afterMs: number; readonly history: History; readonly reason: string }
  | { readonly kind: 'give-up'; readonly message: string; readonly remedy: string };

const steadyAfterMs = 60_000;
const crashesOnceReady = 5;
const crashesBeforeReady = 2;
/** Codes of a host that cannot serve before its database does. */
const databaseAway: readonly string[] = ['DATABASE_UNREACHABLE', 'DATABASE_STARTING', 'DATABASE_FULL', 'UNAVAILABLE'];

/** Decides what follows the end of a host process that nobody asked to end. */
export function nextStep(life: Life, history: History): NextStep {
  const everReady = history.everReady || life.wasReady;
  if (life.fatal !== undefined && !everReady && !isDatabaseAway(life)) {
    return { kind: 'give-up', message: life.fatal.message, remedy: life.fatal.remedy };
  }
  const known = { ...history, everReady };
  if (life.entered !== undefined && !isExcused(life, known)) return quarantinePlugin(life, life.entered, known);
  return restartAfterCrash(life, known);
}

/**
 * Whether the end says nothing about the plugin that was being started: kill -9 comes from a person, or from a system
 * that needs memory. Only when no start gets further is the plugin in which the last one ended to blame.
 */
function isExcused(life: Life, { crashes, everReady }: History): boolean {
  return wasKilledFromOutside(life) && crashes < crashLimit(everReady);
}

export function wasKilledFromOutside({ signal, killedFor }: Life): boolean {
  return signal === 'SIGKILL' && killedFor === undefined;
}

function crashLimit(everReady: boolean): number {
  return everReady ? crashesOnceReady : crashesBeforeReady;
}

function quarantinePlugin(
  life: Life,
  { plugin, phase }: { readonly plugin: string; readonly phase: string },
  history: History,
): NextStep {
  const quarantine = { plugin, phase, ...verdict(life, phase) };
  if (history.quarantines.some((earlier) => earlier.plugin === plugin)) {
    return {
      kind: 'give-up',
      message: `The plugin "${plugin}" ended the host again although it is in quarantine: ${quarantine.reason}.`,
      remedy: `Disable it with: gantry plugins disable ${plugin}`,
    };
  }
  return {
    kind: 'restart',
    afterMs: 0,
    history: { ...history, quarantines: [...history.quarantines, quarantine] },
    reason: `the plugin "${plugin}" ${quarantine.reason} and is left out`,
  };
}

/** What a plugin did whose code ran at the end of a host. */
export function verdict(life: Life, phase: string): Pick<Quarantine, 'code' | 'reason'> {
  if (life.killedFor !== undefined) {
    return { code: 'PLUGIN_HUNG', reason: `did not come back from ${phase} in time and held up the host` };
  }
  if (life.signal !== null) {
    return { code: 'PLUGIN_CRASHED', reason: `crashed the host process during ${phase} (${life.signal})` };
  }
  if (life.lastError !== undefined) {
    return { code: 'PLUGIN_CRASHED', reason: `crashed the host process during ${phase}: ${life.lastError}` };
  }
  return {
    code: 'PLUGIN_EXITED',
    reason: `ended the host process during ${phase} (exit code ${life.exitCode ?? 'unknown'})`,
  };
}

function restartAfterCrash(life: Life, history: History): NextStep {
  const isOutside = wasKilledFromOutside(life);
  const wasFine = life.wasReady && (isOutside || life.uptimeMs > steadyAfterMs);
  const crashes = wasFine ? 1 : history.crashes + 1;
  const reason = describeEnd(life);
  // A database that is away comes back; and what a host that has served cannot help, it outlasts: open orders depend on it.
  const helpless = isDatabaseAway(life) || (history.everReady && isOutside);
  if (!helpless && crashes > crashLimit(history.everReady)) {
    return {
      kind: 'give-up',
      message: `The host ended ${crashes} times in a row; the last time it ${reason}.`,
      remedy: 'Look for the cause in the log; "gantry doctor" checks the usual ones.',
    };
  }
  return {
    kind: 'restart',
    afterMs: backoff(crashes - 1),
    history: { ...history, crashes },
    reason: `the host ${reason}`,
  };
}

function isDatabaseAway({ fatal }: Life): boolean {
  return fatal !== undefined && databaseAway.includes(fatal.code);
}

export function describeEnd(life: Life): string {
  if (life.killedFor !== undefined) return 'no longer answered and was ended';
  if (life.fatal !== undefined) return `gave up: ${life.fatal.message}`;
  const how = life.signal === null ? `exit code ${life.exitCode ?? 'unknown'}` : life.signal;
  return life.lastError === undefined
    ? `ended unexpectedly (${how})`
    : `ended unexpectedly (${how}): ${life.lastError}`;
}
