import { setTimeout as delay } from 'node:timers/promises';
import type { HostMessage, Quarantine } from '@gantry/contracts';
import { LauncherError } from '../launcher-error';
import type { Logger } from '../logger';
import type { ProcessReference } from '../processes';
import { nextStep, noHistory } from './life';
import type { History, Life } from './life';
import { spawnHost } from './spawn-host';
import type { HostProcess, SpawnHostOptions } from './spawn-host';
import { createHostWatch, defaultWatchTimes } from './watch';
import type { WatchTimes } from './watch';

export type ReadyMessage = Extract<HostMessage, { readonly kind: 'ready' }>;

export interface RunHostOptions extends Pick<SpawnHostOptions, 'entry' | 'folder' | 'onLine'> {
  readonly logger: Logger;
  /** Environment of the next host process; asked at every start of one. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Called whenever a process begins, with undefined when it has ended. */
  readonly onProcess: (reference: ProcessReference | undefined) => void;
  /** Called at every ready, also after a restart. */
  readonly onReady: (message: ReadyMessage, quarantines: readonly Quarantine[]) => void;
  readonly watchTimes?: WatchTimes;
  readonly stopTimes?: StopTimes;
}

export interface StopTimes {
  /** For draining after the request to stop. */
  readonly drainMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly termMs: number;
}

export interface HostRun {
  /** Resolves after {@link stop}; rejects with a LauncherError when the host cannot be kept running. */
  readonly ended: Promise<void>;
  /** Lets the host drain, and ends it by signals when it does not. */
  stop(reason: string): Promise<void>;
  /** Ends the host at once. */
  kill(): void;
}

const defaultStopTimes: StopTimes = { drainMs: 30_000, termMs: 3_000 };

/** Keeps one host process running, restarts it when it ends, and leaves out plugins that end it. */
export function runHost(options: RunHostOptions): HostRun {
  const stopping = new AbortController();
  const stopTimes = options.stopTimes ?? defaultStopTimes;
  let current: HostProcess | undefined;
  const isStopping = (): boolean => stopping.signal.aborted;
  const keepRunning = async (): Promise<void> => {
    let history = noHistory;
    while (!isStopping()) {
      const life = await liveOnce(options, history, (host) => (current = host));
      current = undefined;
      options.onProcess(undefined);
      if (isStopping()) return;
      history = await prepareNext(options.logger, life, history, stopping.signal);
    }
  };
  const ended = keepRunning();
  return {
    ended,
    stop: async (reason) => {
      stopping.abort();
      if (current !== undefined) await endHost(current, reason, stopTimes, options.logger);
      await ended.catch(() => {});
    },
    kill: () => {
      stopping.abort();
      current?.kill('SIGKILL');
    },
  };
}

async function liveOnce(
  options: RunHostOptions,
  history: History,
  onStarted: (host: HostProcess) => void,
): Promise<Life> {
  const started = performance.now();
  let wasReady = false;
  let killedFor: Life['killedFor'];
  let fatal: Life['fatal'];
  const watch = createHostWatch(options.watchTimes ?? defaultWatchTimes, (why) => {
    killedFor ??= why;
    host.kill('SIGKILL');
  });
  const host = spawnHost({
    entry: options.entry,
    folder: options.folder,
    onLine: options.onLine,
    environment: { ...options.environment(), GANTRY_QUARANTINE: JSON.stringify(history.quarantines) },
    onMessage: (message) => {
      switch (message.kind) {
        case 'entering':
          return watch.entering(message, message.timeoutMs);
        case 'left':
          return watch.left(message);
        case 'alive':
          return watch.alive();
        case 'fatal':
          fatal = message;
          return undefined;
        case 'ready':
          wasReady = true;
          watch.alive();
          return options.onReady(message, history.quarantines);
      }
    },
  });
  onStarted(host);
  options.onProcess(host.reference);
  const exit = await host.exited;
  const entered = watch.current();
  watch.stop();
  // What it had started must not outlive it.
  host.kill('SIGKILL');
  return {
    ...exit,
    wasReady,
    uptimeMs: performance.now() - started,
    ...(killedFor === undefined ? {} : { killedFor }),
    ...(fatal === undefined ? {} : { fatal }),
    ...(entered === undefined ? {} : { entered }),
  };
}

async function prepareNext(logger: Logger, life: Life, history: History, signal: AbortSignal): Promise<History> {
  const next = nextStep(life, history);
  if (next.kind === 'give-up') throw new LauncherError(next.message, next.remedy);
  logger.error(`${next.reason}; the host is started again`, next.afterMs === 0 ? {} : { afterMs: next.afterMs });
  await delay(next.afterMs, undefined, { signal }).catch(() => {});
  return next.history;
}

async function endHost(host: HostProcess, reason: string, times: StopTimes, logger: Logger): Promise<void> {
  host.send({ kind: 'stop', reason });
  if (await within(host.exited, times.drainMs)) return;
  logger.warn('the host does not finish and is told to end', { afterMs: times.drainMs });
  host.kill('SIGTERM');
  if (await within(host.exited, times.termMs)) return;
  logger.warn('the host does not end and is killed');
  host.kill('SIGKILL');
  await host.exited;
}

async function within(exited: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([exited.then(() => true), late]);
  timer.abort();
  return inTime;
}
