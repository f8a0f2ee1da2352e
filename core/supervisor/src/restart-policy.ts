import type { CrashAttribution, CrashEvidence, Quarantine } from '@gantry/contracts';
import { backoff } from '@gantry/core-common';

/** How one host process ended. */
export interface HostEnd {
  readonly wasReady: boolean;
  readonly uptimeMs: number;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Sent by a host that cannot serve and knows why. */
  readonly fatal?: { readonly code: string; readonly message: string; readonly remedy: string };
  /** The plugin that evidence of the crash itself names. */
  readonly attribution?: CrashAttribution;
  /** The plugin whose phase was running at the end. */
  readonly entered?: { readonly plugin: string; readonly phase: string };
  /** Why the supervisor killed it, if it did. */
  readonly killedFor?: 'plugin-silent' | 'host-silent';
  /** An error that the process reported or printed shortly before its end. */
  readonly lastError?: string;
  /** Plugins without which the platform does not start; they are never left out. */
  readonly requiredPlugins: readonly string[];
}

/** The latest change of the plugin set. */
export interface PluginSetChange {
  /** Of the change log; absent for what was put into a plugin folder before a start. */
  readonly id?: string;
  /** Milliseconds, on the clock of {@link RestartState}. */
  readonly at: number;
  readonly plugins: readonly string[];
  /** Plugins among them that did not run before. */
  readonly added: readonly string[];
}

/** The state that earlier host processes of the same platform leave for the next decision. */
export interface RestartState {
  readonly quarantines: readonly Quarantine[];
  readonly everReady: boolean;
  /** Crashes in a row that no plugin is left out for. */
  readonly crashesInARow: number;
  readonly pluginCrashes: readonly { readonly plugin: string; readonly at: number }[];
  readonly change?: PluginSetChange;
}

export const initialState: RestartState = { quarantines: [], everReady: false, crashesInARow: 0, pluginCrashes: [] };

export type RestartDecision =
  | { readonly kind: 'give-up'; readonly message: string; readonly remedy: string }
  | {
      readonly kind: 'restart';
      readonly afterMs: number;
      readonly state: RestartState;
      /** A sentence for the log, without a full stop. */
      readonly reason: string;
      /** Set when the platform returns to the plugin set before this change. */
      readonly undo?: PluginSetChange;
    };

export interface RestartPolicy {
  /** After a change, the first crash of a plugin within this time returns to the previous set. */
  readonly changeWindowMs: number;
  /** The second crash of a plugin within this time quarantines it. */
  readonly crashWindowMs: number;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
}

export const defaultRestartPolicy: RestartPolicy = {
  changeWindowMs: 120_000,
  crashWindowMs: 600_000,
  minBackoffMs: 200,
  maxBackoffMs: 30_000,
};

/** After a host that served, clients wait for the next one. */
const maxBackoffAfterServingMs = 3_000;
/** A host that has served for so long begins the count of crashes again. */
const stableAfterMs = 60_000;
/** After so many starts that are killed in the same plugin, the plugin is the likely cause, not somebody who kills processes. */
const maxKilledStarts = { beforeReady: 2, afterReady: 5 } as const;
/** Causes that pass by themselves. */
const retryableCodes: readonly string[] = [
  'DATABASE_UNREACHABLE',
  'DATABASE_STARTING',
  'DATABASE_FULL',
  'UNAVAILABLE',
  'OVERLOADED',
];

/**
 * Decides what follows an unexpected end of a host process. Only a host that reports a lasting fault before
 * the platform was ever ready ends the platform; no plugin does.
 * @param now milliseconds of a clock that only goes forward
 */
export function decideRestart(end: HostEnd, before: RestartState, policy: RestartPolicy, now: number): RestartDecision {
  const state = { ...before, everReady: before.everReady || end.wasReady };
  if (end.fatal !== undefined) {
    if (!state.everReady && !isRetryable(end.fatal)) {
      return { kind: 'give-up', message: end.fatal.message, remedy: end.fatal.remedy };
    }
    return restartWithBackoff(end, state, policy, now);
  }
  const culprit = culpritOf(end, state);
  if (culprit === undefined || isLeftOut(state, culprit.plugin)) return restartWithBackoff(end, state, policy, now);
  if (isInChangeWindow(state, policy, now)) return returnToPreviousSet(end, culprit, state, now);
  if (end.requiredPlugins.includes(culprit.plugin)) return restartWithBackoff(end, state, policy, now);
  return restartAfterPluginCrash(end, culprit, state, policy, now);
}

/** The plugin at fault: what the crash itself shows, else the plugin whose phase was running. */
export function culpritOf(end: HostEnd, state: RestartState): CrashAttribution | undefined {
  if (end.attribution !== undefined) return end.attribution;
  if (end.entered === undefined || isExcused(end, state)) return undefined;
  return { plugin: end.entered.plugin, evidence: 'phase', detail: end.entered.phase };
}

/**
 * Whether the end says nothing about the plugin that was being started: kill -9 comes from a person, or from a system
 * that needs memory. Only when no start gets further is the plugin in which the last one ended at fault.
 */
function isExcused(end: HostEnd, { crashesInARow, everReady }: RestartState): boolean {
  const limit = everReady ? maxKilledStarts.afterReady : maxKilledStarts.beforeReady;
  return wasKilledFromOutside(end) && crashesInARow < limit;
}

function wasKilledFromOutside({ signal, killedFor }: HostEnd): boolean {
  return signal === 'SIGKILL' && killedFor === undefined;
}

function isRetryable({ code }: NonNullable<HostEnd['fatal']>): boolean {
  return retryableCodes.includes(code);
}

function isLeftOut({ quarantines }: RestartState, plugin: string): boolean {
  return quarantines.some((quarantine) => quarantine.plugin === plugin);
}

function isInChangeWindow({ change }: RestartState, { changeWindowMs }: RestartPolicy, now: number): boolean {
  return change !== undefined && now - change.at <= changeWindowMs;
}

/**
 * An added plugin is left out, because a package in a folder runs without a decision, too. Of what was updated in its folder, the
 * files from before are gone, so that only a plugin at fault is left out.
 */
function returnToPreviousSet(
  end: HostEnd,
  culprit: CrashAttribution,
  state: RestartState,
  now: number,
): RestartDecision {
  const { change, ...rest } = state;
  const isUpdatedInFolder = change?.id === undefined && change?.plugins.includes(culprit.plugin) === true;
  const quarantine = quarantineOf(end, culprit);
  const removed = new Set([...(change?.added ?? []), ...(isUpdatedInFolder ? [culprit.plugin] : [])]);
  const quarantines = [...removed]
    .filter((plugin) => !isLeftOut(state, plugin))
    .map((plugin) =>
      plugin === culprit.plugin
        ? quarantine
        : {
            ...quarantine,
            plugin,
            reason: `was added shortly before the plugin "${culprit.plugin}" ${quarantine.reason}`,
          },
    );
  const crash = { plugin: culprit.plugin, at: now };
  return {
    kind: 'restart',
    afterMs: 0,
    state: {
      ...rest,
      quarantines: [...state.quarantines, ...quarantines],
      pluginCrashes: removed.has(culprit.plugin) ? state.pluginCrashes : [...state.pluginCrashes, crash],
      crashesInARow: 0,
    },
    reason: `the plugin "${culprit.plugin}" ${quarantine.reason}; the plugins before the change are used again`,
    ...(change === undefined ? {} : { undo: change }),
  };
}

function restartAfterPluginCrash(
  end: HostEnd,
  culprit: CrashAttribution,
  state: RestartState,
  policy: RestartPolicy,
  now: number,
): RestartDecision {
  const quarantine = quarantineOf(end, culprit);
  const earlier = state.pluginCrashes.filter(({ at }) => now - at <= policy.crashWindowMs);
  const isRepeated = earlier.some(({ plugin }) => plugin === culprit.plugin);
  if (!end.wasReady || isRepeated) {
    const pluginCrashes = earlier.filter(({ plugin }) => plugin !== culprit.plugin);
    return {
      kind: 'restart',
      afterMs: 0,
      state: { ...state, pluginCrashes, quarantines: [...state.quarantines, quarantine] },
      reason: `the plugin "${culprit.plugin}" ${quarantine.reason}${isRepeated ? ' again' : ''} and is left out. Fix it, then run: gantry plugins enable ${culprit.plugin}`,
    };
  }
  return {
    kind: 'restart',
    afterMs: policy.minBackoffMs,
    state: { ...state, pluginCrashes: [...earlier, { plugin: culprit.plugin, at: now }] },
    reason: `the plugin "${culprit.plugin}" ${quarantine.reason}`,
  };
}

function restartWithBackoff(end: HostEnd, state: RestartState, policy: RestartPolicy, now: number): RestartDecision {
  const wasFine = end.wasReady && (wasKilledFromOutside(end) || end.uptimeMs > stableAfterMs);
  const crashesInARow = wasFine ? 1 : state.crashesInARow + 1;
  return {
    kind: 'restart',
    afterMs: backoff(
      crashesInARow - 1,
      policy.minBackoffMs,
      end.wasReady ? maxBackoffAfterServingMs : policy.maxBackoffMs,
    ),
    state: { ...state, crashesInARow },
    reason: `the host ${describeEnd(end)}${suspectOf(end, state, policy, now)}`,
  };
}

/** Without evidence, the latest change is the first place to look. */
function suspectOf(end: HostEnd, state: RestartState, policy: RestartPolicy, now: number): string {
  if (end.fatal !== undefined || wasKilledFromOutside(end)) return '';
  if (end.attribution !== undefined) {
    return ` (attributed to the plugin "${end.attribution.plugin}", which is required or left out already)`;
  }
  if (!isInChangeWindow(state, policy, now)) return ' (unattributed)';
  return ` (unattributed; changed last: ${state.change?.plugins.join(', ') ?? ''})`;
}

function quarantineOf(end: HostEnd, culprit: CrashAttribution): Quarantine {
  const phase = end.entered?.plugin === culprit.plugin ? end.entered.phase : 'start';
  return { plugin: culprit.plugin, phase, ...describePluginCrash(end, culprit) };
}

/** The effect of a plugin on the host process, as the rest of a sentence that begins with its name. */
export function describePluginCrash(end: HostEnd, culprit: CrashAttribution): Pick<Quarantine, 'code' | 'reason'> {
  const { evidence, detail } = culprit;
  const when = evidence === 'phase' ? `during ${detail}` : whenOf(end);
  const proof = evidence === 'phase' ? '' : ` (${evidenceNames[evidence]}: ${detail})`;
  if (end.killedFor !== undefined) {
    if (evidence === 'phase') {
      return { code: 'PLUGIN_HUNG', reason: `did not return from ${detail} in time and blocked the host` };
    }
    return { code: 'PLUGIN_HUNG', reason: `blocked the host process ${when}${proof}` };
  }
  if (end.lastError !== undefined) {
    return { code: 'PLUGIN_CRASHED', reason: `crashed the host process ${when}: ${end.lastError}${proof}` };
  }
  if (end.signal !== null) {
    return { code: 'PLUGIN_CRASHED', reason: `crashed the host process ${when} (${end.signal})${proof}` };
  }
  return {
    code: 'PLUGIN_EXITED',
    reason: `ended the host process ${when} (exit code ${end.exitCode ?? 'unknown'})${proof}`,
  };
}

const evidenceNames: Readonly<Record<Exclude<CrashEvidence, 'phase'>, string>> = {
  'stack-frames': 'stack',
  'async-context': 'asynchronous context',
  'main-thread-sample': 'sample of the main thread',
};

function whenOf({ wasReady, uptimeMs }: HostEnd): string {
  return wasReady ? `${(uptimeMs / 1000).toFixed(1)} s after the host had started` : 'while it started';
}

export function describeEnd(end: HostEnd): string {
  if (end.killedFor !== undefined) return 'no longer answered and was ended';
  if (end.fatal !== undefined) return `gave up: ${end.fatal.message}`;
  const how = end.signal === null ? `exit code ${end.exitCode ?? 'unknown'}` : end.signal;
  return end.lastError === undefined ? `ended unexpectedly (${how})` : `ended unexpectedly (${how}): ${end.lastError}`;
}
