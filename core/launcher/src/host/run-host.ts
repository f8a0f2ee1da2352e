import { setTimeout as delay } from 'node:timers/promises';
import type { LauncherMessage } from '@gantry/contracts';
import { LauncherError } from '../launcher-error';
import type { Logger } from '../logger';
import { createChangeLog } from './change-log';
import type { ChangeLog } from './change-log';
import { createChanger } from './changer';
import type { Changer } from './changer';
import { endHost } from './end-host';
import type { StopTimes } from './end-host';
import { startGeneration } from './generation';
import type { Generation, GenerationOptions } from './generation';
import type { HostRun, RunHostOptions } from './host-run';
import { nextStep, noHistory } from './life';
import type { History, Life } from './life';
import { createSuccession } from './succession';
import type { Line, Succession } from './succession';

const defaultStopTimes: StopTimes = { drainMs: 30_000, termMs: 3_000 };

/**
 * Keeps one host process running, restarts it when it ends, and leaves out plugins that end it. When the plugin set is to
 * change, another process takes its place.
 */
export function runHost(options: RunHostOptions): HostRun {
  const { logger, stopTimes = defaultStopTimes } = options;
  const stopping = new AbortController();
  const alive = new Set<Generation>();
  const succession = createSuccession();
  const log = createChangeLog((report) => tellAll(alive, { kind: 'generations', report }));
  const start = createStart(options, alive, log, (message) => changer.request(message));
  const changer = createChanger({
    ...options,
    stopTimes,
    log,
    start,
    signal: stopping.signal,
    current: succession.current,
    promote: (generation) => {
      const replaced = succession.replaceBy(generation);
      options.onProcess(generation.host.reference);
      return replaced;
    },
  });
  const ended = keepRunning({ options, succession, changer, start, signal: stopping.signal });
  return {
    ended,
    stop: async (reason) => {
      stopping.abort();
      const message = { kind: 'stop', reason } as const;
      await Promise.all([...alive].map(({ host }) => endHost(host, message, stopTimes, logger)));
      await changer.idle();
      await ended.catch(() => {});
    },
    kill: () => {
      stopping.abort();
      for (const { host } of alive) host.kill('SIGKILL');
    },
  };
}

interface Keeping {
  readonly options: RunHostOptions;
  readonly succession: Succession;
  readonly changer: Changer;
  readonly start: Start;
  /** Aborts when the platform is to stop. */
  readonly signal: AbortSignal;
}

/** @throws LauncherError when the host cannot be kept running */
async function keepRunning({ options, succession, changer, start, signal }: Keeping): Promise<void> {
  const begin = createBegin(options, succession, start);
  const isStopping = (): boolean => signal.aborted;
  let line = begin(noHistory);
  const startAgain = async (life: Life): Promise<void> => {
    options.onProcess(undefined);
    if (isStopping()) return;
    const history = await prepareNext(options.logger, life, line.history, signal);
    await changer.idle();
    if (!isStopping() && succession.current() === line) begin(history);
  };
  while (!isStopping()) {
    const end = await Promise.race([line.replaced, line.generation.life]);
    if (end !== 'replaced') {
      // A successor that is on its way may be what follows.
      await changer.idle();
      if (succession.current() === line) await startAgain(end);
    }
    line = succession.current() ?? line;
  }
}

function createBegin(options: RunHostOptions, succession: Succession, start: Start): (history: History) => Line {
  const coming = whilePending(options.coming);
  return (history) => {
    const { quarantines } = history;
    const onReady: GenerationOptions['onReady'] = (message) => options.onReady(message, quarantines);
    const generation = start({ quarantines, onReady, coming: coming() });
    const line = succession.begin(generation, history);
    options.onProcess(generation.host.reference);
    return line;
  };
}

/** Later on, the environment has it, and newer. */
function whilePending<T>(work: Promise<T> | undefined): () => Promise<T> | undefined {
  let pending = work;
  const forget = (): void => void (pending = undefined);
  work?.then(forget, forget);
  return () => pending;
}

type Start = (own: Omit<GenerationOptions, 'generations' | 'onChange'>) => Generation;

/** Starts host processes and remembers those that have not ended. */
function createStart(
  options: RunHostOptions,
  alive: Set<Generation>,
  log: ChangeLog,
  onChange: GenerationOptions['onChange'],
): Start {
  return (own) => {
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
