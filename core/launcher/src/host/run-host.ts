import { setTimeout as delay } from 'node:timers/promises';
import type { LauncherMessage } from '@gantry/contracts';
import { LauncherError } from '../launcher-error';
import type { Logger } from '../logger';
import { createChangeLog } from './change-log';
import type { ChangeLog } from './change-log';
import { createChanger } from './changer';
import { endHost } from './end-host';
import type { StopTimes } from './end-host';
import { startGeneration } from './generation';
import type { Generation, GenerationOptions } from './generation';
import type { HostRun, RunHostOptions } from './host-run';
import { nextStep, noHistory } from './life';
import type { History, Life } from './life';
import { createLine } from './line';
import type { Line } from './line';

const defaultStopTimes: StopTimes = { drainMs: 30_000, termMs: 3_000 };

/**
 * Keeps one host process running, restarts it when it ends, and leaves out plugins that end it. When the plugin set is to
 * change, another process takes its place.
 */
export function runHost(options: RunHostOptions): HostRun {
  const stopping = new AbortController();
  const stopTimes = options.stopTimes ?? defaultStopTimes;
  const alive = new Set<Generation>();
  let line: Line | undefined;
  const isStopping = (): boolean => stopping.signal.aborted;
  const log = createChangeLog((report) => tellAll(alive, { kind: 'generations', report }));
  const start = createStart(options, alive, log, (message) => changer.request(message));
  const changer = createChanger({
    ...options,
    stopTimes,
    log,
    start,
    signal: stopping.signal,
    current: () => line,
    promote: (generation) => {
      const replaced = line;
      line = createLine(generation, { ...noHistory, everReady: true, quarantines: generation.quarantines });
      replaced?.replace();
      options.onProcess(generation.host.reference);
      return replaced?.generation;
    },
  });
  const startLine = createStartLine(options, start);
  const keepRunning = async (): Promise<void> => {
    line = startLine(noHistory);
    while (!isStopping()) {
      const mine: Line = line;
      const end = await Promise.race([mine.replaced, mine.generation.life]);
      if (end === 'replaced') continue;
      // A successor that is on its way may be what follows.
      await changer.idle();
      if (mine !== line) continue;
      options.onProcess(undefined);
      if (isStopping()) return;
      const history = await prepareNext(options.logger, end, mine.history, stopping.signal);
      await changer.idle();
      if (!isStopping() && mine === line) line = startLine(history);
    }
  };
  const ended = keepRunning();
  return {
    ended,
    stop: async (reason) => {
      stopping.abort();
      const message = { kind: 'stop', reason } as const;
      await Promise.all([...alive].map(({ host }) => endHost(host, message, stopTimes, options.logger)));
      await changer.idle();
      await ended.catch(() => {});
    },
    kill: () => {
      stopping.abort();
      for (const { host } of alive) host.kill('SIGKILL');
    },
  };
}

function createStartLine(options: RunHostOptions, start: ReturnType<typeof createStart>): (history: History) => Line {
  const coming = whilePending(options.coming);
  return (history) => {
    const { quarantines } = history;
    const onReady: GenerationOptions['onReady'] = (message) => options.onReady(message, quarantines);
    const generation = start({ quarantines, onReady, coming: coming() });
    options.onProcess(generation.host.reference);
    return createLine(generation, history);
  };
}

/** Later on, the environment has it, and newer. */
function whilePending<T>(work: Promise<T> | undefined): () => Promise<T> | undefined {
  let pending = work;
  const forget = (): void => void (pending = undefined);
  work?.then(forget, forget);
  return () => pending;
}

/** Starts host processes and remembers those that have not ended. */
function createStart(
  options: RunHostOptions,
  alive: Set<Generation>,
  log: ChangeLog,
  onChange: GenerationOptions['onChange'],
) {
  return (own: Omit<GenerationOptions, 'generations' | 'onChange'>): Generation => {
    const generations = options.socket === undefined ? undefined : log.report();
    const generation = startGeneration(options, { ...own, generations, onChange });
    alive.add(generation);
    void generation.life.then(() => alive.delete(generation));
    return generation;
  };
}

function tellAll(alive: ReadonlySet<Generation>, message: LauncherMessage): void {
  for (const { host } of alive) host.send(message);
}

async function prepareNext(logger: Logger, life: Life, history: History, signal: AbortSignal): Promise<History> {
  const next = nextStep(life, history);
  if (next.kind === 'give-up') throw new LauncherError(next.message, next.remedy);
  logger.error(`${next.reason}; the host is started again`, next.afterMs === 0 ? {} : { afterMs: next.afterMs });
  await delay(next.afterMs, undefined, { signal }).catch(() => {});
  return next.history;
}
