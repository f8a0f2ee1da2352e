import type { ServiceLevel, SuccessorWatch } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { pause } from '@gantry/core-common';
import type { HealthPart } from '../../common/health-part';
import type { AnswerCounts } from './answer-counts';
import { addLook, judgeChange, noFindings, type ChangeFailure, type Look, type WatchedChange } from './judge-change';

interface Readiness {
  readonly parts: readonly HealthPart[];
}

export interface ChangeWatchOptions {
  readonly answers: AnswerCounts;
  readonly readiness: () => Promise<Readiness>;
  /** Plugins that depend on one of the given ones, themselves included. */
  readonly concernedBy: (plugins: readonly string[]) => readonly string[];
  /** Begins to take the change back. @returns whether that is done; otherwise the next look tries it again */
  readonly undo: (watch: SuccessorWatch, failure: ChangeFailure) => Promise<boolean>;
  readonly logger: Logger;
}

/** Looks at a host for a while after a change of its plugins, and takes the change back when it counts as failed. */
export interface ChangeWatch {
  /** How the platform is now, for the one that follows. */
  level(): Promise<ServiceLevel>;
  /** From here on, requests of clients are answered. @param watch the change after which they are */
  start(watch: SuccessorWatch | undefined): void;
  stop(): Promise<void>;
}

/** As long as a crash counts as one of the change. */
const watchedForMs = 120_000;
const lookIntervalMs = 4_000;

export function createChangeWatch(options: ChangeWatchOptions): ChangeWatch {
  const stopping = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  return {
    level: async () => ({ healthy: healthyOf(await options.readiness()), answers: options.answers.recent() }),
    start: (watch) => {
      options.answers.forget();
      if (watch !== undefined) ended = watchChange(options, watch, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function watchChange(options: ChangeWatchOptions, watch: SuccessorWatch, signal: AbortSignal): Promise<void> {
  const change: WatchedChange = {
    concerned: new Set(options.concernedBy(watch.plugins)),
    added: new Set(watch.added),
    before: watch.before,
  };
  const until = performance.now() + watchedForMs;
  let findings = noFindings;
  for (;;) {
    await pause(lookIntervalMs, signal);
    if (signal.aborted || performance.now() > until) return;
    findings = addLook(findings, lookOf(await options.readiness(), options.answers));
    const failure = judgeChange(findings, change);
    if (failure === undefined) continue;
    try {
      if (await options.undo(watch, failure)) return;
    } catch (error) {
      options.logger.error({ err: error, plugin: failure.plugin }, 'the change of plugins could not be taken back');
    }
  }
}

const prefix = 'plugin ';

function lookOf({ parts }: Readiness, answers: AnswerCounts): Look {
  const isUp = (name: string): boolean => parts.every((part) => part.name !== name || part.status === 'up');
  const unhealthy = parts.filter(({ name, status }) => name.startsWith(prefix) && status !== 'up');
  return {
    isSound: isUp('database') && isUp('temporal'),
    unhealthy: new Map(unhealthy.map(({ name, message = '' }) => [name.slice(prefix.length), message])),
    answers: answers.total(),
  };
}

function healthyOf({ parts }: Readiness): readonly string[] {
  return parts
    .filter(({ name, status }) => name.startsWith(prefix) && status === 'up')
    .map(({ name }) => name.slice(prefix.length));
}
