import type { LauncherMessage, PluginChange } from '@gantry/contracts';
import { messageOf, pause } from '@gantry/core-common';
import { createChangeLog } from './change-log';
import type { ChangeLog } from './change-log';
import { startGeneration } from './generation';
import type { Generation, GenerationOptions } from './generation';
import type { StopTimes } from './host-process';
import { decideRestart, defaultRestartPolicy, initialState } from './restart-policy';
import type { HostEnd, PluginSetChange, RestartDecision, RestartState } from './restart-policy';
import { createRollout } from './rollout';
import type { ReloadFailure, Rollout } from './rollout';
import type { ReadyMessage, ServedDifference, SupervisorOptions } from './supervisor-options';
import { createUnavailableServer } from './unavailable-server';
import type { UnavailableServer } from './unavailable-server';

export interface Supervisor {
  /** Resolves after {@link stop}; rejects with a {@link GaveUpError} when the platform cannot be started as it is set up. */
  readonly ended: Promise<void>;
  /** Lets the host drain, and ends it by signals when it does not. */
  stop(reason: string): Promise<void>;
  /** Ends the host at once. */
  kill(): void;
  /**
   * Starts another host with the same plugins, from their files as they are now, which takes the place of the one that serves. Where it
   * cannot, that one goes on.
   * @returns why it goes on
   */
  reload(): Promise<ReloadFailure | undefined>;
}

/** The host has reported a fault that does not pass, and nothing was ever served. */
export class GaveUpError extends Error {
  override readonly name = 'GaveUpError';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

const defaultStopTimes: StopTimes = { drainMs: 30_000, termMs: 3_000 };

/**
 * Keeps one host process running. When it ends, the restart policy decides with which plugins the next one starts. When the
 * plugin set is to change, another process takes its place. While none serves, requests are answered with 503.
 */
export function startSupervisor(options: SupervisorOptions): Supervisor {
  const { logger, stopTimes = defaultStopTimes } = options;
  const stopping = new AbortController();
  const running = new Set<Generation>();
  const unavailable = createUnavailableServer();
  const activeSlot = createActiveSlot(options, unavailable, stopping.signal);
  const log = createChangeLog((report) => sendAll(running, { kind: 'generations', report }));
  const start: Start = (own) => {
    const generation = startGeneration(options, {
      ...own,
      generations: () => (options.socket === undefined ? undefined : log.report()),
      onChange: (message) => rollout.request(message),
      onSocket: unavailable.provide,
    });
    running.add(generation);
    void generation.ended.then(() => running.delete(generation));
    return generation;
  };
  const rollout = createRollout({
    ...options,
    stopTimes,
    log,
    start,
    signal: stopping.signal,
    current: () => activeSlot.current()?.generation,
    promote: activeSlot.promote,
  });
  const kill = (): void => {
    stopping.abort();
    for (const { host } of running) host.kill('SIGKILL');
  };
  const ended = keepRunning({ options, activeSlot, rollout, log, start, signal: stopping.signal })
    .catch((error: unknown) => {
      // A process that waits for a reload must not outlive a platform that gives up.
      kill();
      throw error;
    })
    .finally(() => unavailable.end());
  return {
    ended,
    stop: async (reason) => {
      stopping.abort();
      activeSlot.recordIfSound();
      const message = { kind: 'stop', reason } as const;
      await Promise.all([...running].map(({ host }) => host.stop(message, stopTimes, logger)));
      await rollout.idle();
      await ended.catch(() => {});
    },
    reload: rollout.reload,
    kill,
  };
}

type Start = (own: Omit<GenerationOptions, 'generations' | 'onChange' | 'onSocket'>) => Generation;

/** The generation that serves or is about to, and what the restart policy knows when it ends. */
interface Serving {
  readonly generation: Generation;
  readonly state: RestartState;
  /** Resolves when another one has taken its place. */
  readonly replaced: Promise<'replaced'>;
  readonly replace: () => void;
}

/** Of all generations, the one that counts. */
interface ActiveSlot {
  current(): Serving | undefined;
  /** This one follows one that has ended, or is the first. */
  begin(generation: Generation, state: RestartState): Serving;
  /** This one takes the place of one that serves. @returns that one */
  promote(generation: Generation, change?: Omit<PluginSetChange, 'at'>): Generation | undefined;
  /** The current one is ready. */
  onReady(message: ReadyMessage): void;
  /** Records the plugins as sound when the time after the latest change has passed. */
  recordIfSound(): void;
}

function createActiveSlot(options: SupervisorOptions, unavailable: UnavailableServer, signal: AbortSignal): ActiveSlot {
  const { changeWindowMs } = options.restartPolicy ?? defaultRestartPolicy;
  let serving: Serving | undefined;
  const begin = (generation: Generation, state: RestartState): Serving => {
    let replace = (): void => {};
    const replaced = new Promise<'replaced'>((resolve) => {
      replace = () => resolve('replaced');
    });
    const begun: Serving = { generation, state, replaced, replace };
    serving = begun;
    options.onProcess(generation.host.reference);
    void generation.host.gone.then(() => {
      if (serving?.generation === generation && !signal.aborted) unavailable.open();
    });
    void generation.ready.then((message) => message && recordLater(options, generation, message, changeWindowMs));
    return begun;
  };
  return {
    current: () => serving,
    begin,
    promote: (generation, change) => {
      const before = serving;
      const { quarantines } = generation;
      begin(generation, {
        ...initialState,
        everReady: true,
        quarantines,
        ...(change === undefined ? {} : { change: { ...change, at: performance.now() } }),
      });
      unavailable.close();
      before?.replace();
      return before?.generation;
    },
    onReady: (message) => {
      unavailable.close();
      if (serving === undefined || serving.state.everReady) return;
      const { added, updated } = compareServed(options, message);
      if (added.length + updated.length === 0) return;
      const change: PluginSetChange = { at: performance.now(), plugins: [...added, ...updated], added };
      serving = { ...serving, state: { ...serving.state, change } };
    },
    recordIfSound: () => {
      const { generation, state } = serving ?? {};
      if (state?.change !== undefined && performance.now() - state.change.at <= changeWindowMs) return;
      void generation?.ready.then((message) => message && record(options, message));
    },
  };
}

/** A generation that still serves when the time after a change has passed is sound. */
function recordLater(
  options: SupervisorOptions,
  { ended }: Generation,
  message: ReadyMessage,
  changeWindowMs: number,
): void {
  const timer = setTimeout(() => record(options, message), changeWindowMs).unref();
  void ended.then(() => clearTimeout(timer));
}

function record({ served, logger }: SupervisorOptions, { report }: ReadyMessage): void {
  try {
    served.record(report);
  } catch (error) {
    logger.warn('the plugins that are served could not be recorded', { reason: messageOf(error) });
  }
}

function compareServed({ served, logger }: SupervisorOptions, { report }: ReadyMessage): ServedDifference {
  try {
    return served.compare(report);
  } catch (error) {
    logger.warn('the plugins that were served before could not be read', { reason: messageOf(error) });
    return { added: [], updated: [] };
  }
}

interface Keeping {
  readonly options: SupervisorOptions;
  readonly activeSlot: ActiveSlot;
  readonly rollout: Rollout;
  readonly log: ChangeLog;
  readonly start: Start;
  /** Aborts when the platform is to stop. */
  readonly signal: AbortSignal;
}

/** @throws GaveUpError when the platform cannot be started as it is set up */
async function keepRunning(keeping: Keeping): Promise<void> {
  const { options, activeSlot, rollout, signal } = keeping;
  const begin = createBegin(keeping);
  const isStopping = (): boolean => signal.aborted;
  let serving = begin(initialState);
  const restart = async (end: HostEnd): Promise<void> => {
    options.onProcess(undefined);
    if (isStopping()) return;
    const state = await prepareRestart(keeping, end, activeSlot.current()?.state ?? initialState);
    await rollout.idle();
    if (!isStopping() && activeSlot.current()?.generation === serving.generation) begin(state);
  };
  while (!isStopping()) {
    const end = await Promise.race([serving.replaced, serving.generation.ended]);
    if (end !== 'replaced') {
      // A successor that is on its way may be what follows.
      await rollout.idle();
      if (activeSlot.current()?.generation === serving.generation) await restart(end);
    }
    serving = activeSlot.current() ?? serving;
  }
}

function createBegin({ options, activeSlot, rollout, start }: Keeping): (state: RestartState) => Serving {
  return (state) => {
    const { quarantines, everReady: isRestart } = state;
    const onReady: GenerationOptions['onReady'] = (message) => {
      activeSlot.onReady(message);
      options.onReady(message, quarantines);
      if (options.reloadsOften) rollout.prepare();
    };
    return activeSlot.begin(start({ quarantines, onReady, isRestart }), state);
  };
}

/** Does what the restart policy decides, up to the start of the next process. */
async function prepareRestart(keeping: Keeping, end: HostEnd, before: RestartState): Promise<RestartState> {
  const { options, signal } = keeping;
  const policy = options.restartPolicy ?? defaultRestartPolicy;
  const decision = decideRestart(end, before, policy, performance.now());
  if (decision.kind === 'give-up') throw new GaveUpError(decision.message, decision.remedy);
  const { reason, afterMs, state } = decision;
  options.logger.error(`${reason}. The host is restarted`, afterMs === 0 ? {} : { afterMs });
  await undoChange(keeping, decision);
  await pause(afterMs, signal);
  return state;
}

async function undoChange(
  { options, log }: Keeping,
  { undo, reason }: Extract<RestartDecision, { kind: 'restart' }>,
): Promise<void> {
  // A package that was put into a folder has no recorded decision.
  if (undo?.id === undefined) return;
  log.update(undo.id, { phase: 'failed', error: undone(reason) });
  log.nextGeneration();
  try {
    await options.restore(reason);
  } catch (error) {
    const why = messageOf(error);
    options.logger.error('the earlier decisions about plugins could not be restored', { reason: why });
  }
}

function undone(reason: string): NonNullable<PluginChange['error']> {
  return {
    code: 'PLUGIN_CRASHED',
    message: `The change was undone: ${reason}.`,
    remedy: 'Fix the plugin, then enable it again.',
  };
}

function sendAll(running: ReadonlySet<Generation>, message: LauncherMessage): void {
  for (const { host } of running) host.send(message);
}
