import type { FollowedSet, PluginChange, Quarantine, Successor } from '@gantry/contracts';
import { messageOf, type Logger } from '@gantry/core-common';
import type { ChangeLog } from './change-log';
import type { ChangeMessage, Generation, GenerationOptions } from './generation';
import type { StopTimes } from './host-process';
import { culpritOf, describeEnd, describePluginCrash, initialState } from './restart-policy';
import type { HostEnd, PluginSetChange } from './restart-policy';
import type { Decisions, ReadyMessage, SupervisorOptions } from './supervisor-options';

export interface RolloutOptions extends Pick<SupervisorOptions, 'refuse' | 'onSuccessor' | 'reloadsOften'> {
  readonly logger: Logger;
  readonly stopTimes: StopTimes;
  readonly log: ChangeLog;
  /** Aborts when the platform is to stop. */
  readonly signal: AbortSignal;
  readonly start: (
    own: Pick<GenerationOptions, 'quarantines' | 'successor' | 'succession' | 'onReady' | 'onStep'>,
  ) => Generation;
  readonly current: () => Generation | undefined;
  /** From here on, this generation is the one that serves. @returns the one that did until now */
  readonly promote: (generation: Generation, change?: Omit<PluginSetChange, 'at'>) => Generation | undefined;
}

/** Changes the plugin set by generations, one change after the other. */
export interface Rollout {
  request(message: ChangeMessage): void;
  /** The same plugin set with the files as they are now. @returns why the generation that serves goes on */
  reload(): Promise<ReloadFailure | undefined>;
  /** Starts a process ahead for the next {@link reload}. */
  prepare(): void;
  /** Resolves when no change is at a point where another generation could begin to serve. */
  idle(): Promise<void>;
}

/** Why no other generation serves. */
export type ReloadFailure = ChangeError;

type ChangeError = NonNullable<PluginChange['error']>;

/** The new process has its own timeouts for everything; this is the last resort. */
const startTimeoutMs = 300_000;

export function createRollout(options: RolloutOptions): Rollout {
  const { log, logger } = options;
  let deciding: Promise<void> = Promise.resolve();
  let queue: Promise<void> = Promise.resolve();
  const apply = async (message: ChangeMessage): Promise<void> => {
    const taken = takeOver(options, message);
    deciding = taken.then(() => undefined);
    const outcome = await taken;
    if ('error' in outcome) {
      const { error } = outcome;
      logger.error(`the plugins are unchanged: ${error.message}`, { change: message.id, code: error.code });
      if (message.follow !== undefined && error !== notServing) await refuse(options, message.follow, error);
      log.update(message.id, { phase: 'failed', error });
      return;
    }
    log.update(message.id, { phase: 'draining' });
    const { retiring } = outcome;
    if (retiring !== undefined) await retiring.host.stop({ kind: 'retire' }, options.stopTimes, logger);
    logger.info('the plugins have changed', { [message.action]: Object.keys(message.decisions) });
    log.update(message.id, { phase: 'done' });
  };
  const standby = createStandby(options);
  const reload = async (): Promise<ReloadFailure | undefined> => {
    const change: ChangeMessage = { kind: 'change', id: reloadId, action: 'enable', decisions: {} };
    // A plugin that was left out may be the one that was built again.
    const taken = takeOver(options, change, { quarantines: [], takeStandby: standby.take });
    deciding = taken.then(() => undefined);
    const outcome = await taken;
    if (options.reloadsOften) standby.prepare();
    if ('error' in outcome) return outcome.error;
    // Nobody waits for its end: the new generation serves already.
    void outcome.retiring?.host.stop({ kind: 'retire' }, options.stopTimes, logger);
    return undefined;
  };
  return {
    prepare: standby.prepare,
    reload: () => {
      const reloaded = queue.then(reload);
      queue = reloaded.then(
        () => undefined,
        () => undefined,
      );
      return reloaded;
    },
    request: (message) => {
      log.add(message);
      queue = queue
        .then(() => apply(message))
        .catch((error: unknown) => {
          log.update(message.id, { phase: 'failed', error: unforeseen(error) });
        });
    },
    idle: () => deciding,
  };
}

/** Another host has stored the set: this one does not try it again and again. */
async function refuse(
  { refuse: note, logger }: RolloutOptions,
  follow: FollowedSet,
  error: ChangeError,
): Promise<void> {
  try {
    await note(follow, error);
  } catch (failure) {
    logger.error('that this host keeps its plugins could not be noted', { reason: messageOf(failure) });
  }
}

/** Reloads are not in the log of changes: the plugin set stays as it is. */
const reloadId = 'reload';

type Outcome = { readonly retiring: Generation | undefined } | { readonly error: ChangeError };

/** A process that has loaded its modules and waits until it is needed. */
interface Standby {
  prepare(): void;
  /** @returns the process, which starts as this successor now; undefined where there is none */
  take(successor: Successor): Generation | undefined;
}

function createStandby({ start }: RolloutOptions): Standby {
  let waiting: { readonly generation: Generation; readonly begin: (successor: Successor) => void } | undefined;
  return {
    prepare: () => {
      if (waiting !== undefined) return;
      let begin = (_successor: Successor): void => {};
      const succession = new Promise<Successor>((resolve) => {
        begin = resolve;
      });
      const generation = start({ quarantines: [], succession, onReady: () => undefined });
      waiting = { generation, begin };
      void generation.ended.then(() => {
        if (waiting?.generation === generation) waiting = undefined;
      });
    },
    take: (successor) => {
      const taken = waiting;
      waiting = undefined;
      taken?.begin(successor);
      return taken?.generation;
    },
  };
}

/** Starts the next generation; when it has stored the decisions and serves, it counts. Otherwise all stays as it was. */
async function takeOver(
  options: RolloutOptions,
  { id, decisions, follow }: ChangeMessage,
  {
    quarantines,
    takeStandby,
  }: { readonly quarantines?: readonly Quarantine[]; readonly takeStandby?: Standby['take'] } = {},
): Promise<Outcome> {
  const before = options.current();
  const served = await before?.ready;
  if (options.signal.aborted || before === undefined || served === undefined) return { error: notServing };
  options.log.update(id, { phase: 'starting' });
  const plugins = [...Object.keys(decisions), ...(follow?.removed ?? [])];
  const running = startedIn(served);
  const added = plugins.filter((plugin) => decisions[plugin]?.enabled && !running.includes(plugin));
  const successor: Successor = {
    decisions,
    mustStart: mustStart(served, decisions, follow),
    ...(follow === undefined ? {} : { follow }),
  };
  const next =
    takeStandby?.(successor) ??
    options.start({
      quarantines: quarantines ?? before.quarantines.filter(({ plugin }) => !Object.hasOwn(decisions, plugin)),
      successor,
      onReady: () => undefined,
      onStep: (step) => options.log.update(id, { phase: 'starting', step }),
    });
  options.onSuccessor(next.host.reference);
  try {
    const ready = await readyInTime(next, options.signal);
    if (ready === undefined) return { error: describeRefusal(await next.ended) };
    // A reload changes no decision that a crash could take back.
    const retiring = options.promote(next, plugins.length > 0 ? { id, plugins, added } : undefined);
    options.log.nextGeneration();
    return { retiring };
  } catch (error) {
    await next.host.stop({ kind: 'retire' }, options.stopTimes, options.logger);
    return { error: unforeseen(error) };
  } finally {
    options.onSuccessor(undefined);
  }
}

async function readyInTime(next: Generation, signal: AbortSignal): Promise<ReadyMessage | undefined> {
  const end = (): void => next.host.kill('SIGKILL');
  next.host.limit(startTimeoutMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await next.ready;
  } finally {
    next.host.limit(undefined);
    signal.removeEventListener('abort', end);
  }
}

/** Running plugins keep running, and enabled plugins run. */
function mustStart(served: ReadyMessage, decisions: Decisions, follow: FollowedSet | undefined): readonly string[] {
  const enabled = Object.keys(decisions).filter((id) => decisions[id]?.enabled);
  const left = new Set(follow?.removed);
  return [...new Set([...startedIn(served), ...enabled])].filter(
    (id) => decisions[id]?.enabled !== false && !left.has(id),
  );
}

function startedIn({ report }: ReadyMessage): readonly string[] {
  return report.plugins.filter(({ state }) => state === 'started').map(({ id }) => id);
}

/** Why a generation did not come to serve. */
function describeRefusal(end: HostEnd): ChangeError {
  if (end.fatal !== undefined) {
    const { code, message, remedy } = end.fatal;
    return { code, message, remedy };
  }
  const culprit = culpritOf(end, initialState);
  if (culprit !== undefined) {
    const { code, reason } = describePluginCrash(end, culprit);
    const remedy = 'Fix the plugin and build it again, disable it, or remove it from the plugin folder.';
    return { code, message: `The plugin ${culprit.plugin} ${reason}.`, remedy };
  }
  return {
    code: 'GENERATION_FAILED',
    message: `The new host ${describeEnd(end)}.`,
    remedy: 'Look for the cause in the log, and try again.',
  };
}

const notServing: ChangeError = {
  code: 'GENERATION_FAILED',
  message: 'The platform was starting or stopping.',
  remedy: 'Try again when it is ready.',
};

function unforeseen(error: unknown): ChangeError {
  return {
    code: 'GENERATION_FAILED',
    message: `The change could not be made: ${messageOf(error)}.`,
    remedy: 'Look for the cause in the log, and try again.',
  };
}
