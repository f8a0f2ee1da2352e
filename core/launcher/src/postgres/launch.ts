import { readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, isAlive, type EndStep, type Logger, type ProcessReference } from '@gantry/core-common';
import type { Child } from '@gantry/core-supervisor/child';
import { LauncherError } from '../common/launcher-error';
import { spawnServer } from '../common/spawn-server';
import type { PostgresBinaries } from './binaries';
import { postgresEnvironment } from './cluster';
import { probeServer } from './connection';
import type { PostgresLayout } from './layout';
import { endOrphans, readPostmaster, removeStaleFile } from './postmaster';
import type { RunAs } from './run-as';

export interface LaunchContext {
  readonly layout: PostgresLayout;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Launched {
  readonly process: ProcessReference;
  readonly port: number;
  /** Whether it had been running before. */
  readonly adopted: boolean;
}

/** Another program listens on the port that was chosen. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/** Loses nothing that was committed, but the next start has to recover. */
export const immediateStop: readonly EndStep[] = [
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** For a server that is still starting. */
const givenUp: readonly EndStep[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
];

const silentAfterMs = 15_000;
const busyAttempts = 20;

/**
 * Finds the running server of the data folder, or starts one, and waits until it takes connections.
 * @throws PortTakenError, or LauncherError when PostgreSQL cannot start.
 */
export async function launch(context: LaunchContext, port: number): Promise<Launched> {
  const running = await adopt(context);
  if (running !== undefined) return running;
  for (let attempt = 0; ; attempt += 1) {
    context.signal.throwIfAborted();
    const outcome = await startOnce(context, port);
    if ('process' in outcome) return { process: outcome.process, port, adopted: false };
    context.signal.throwIfAborted();
    if (/could not bind|Address already in use/i.test(outcome.output)) {
      throw new PortTakenError(`port ${port} is taken`);
    }
    const busy = /pre-existing shared memory block|lock file .* already exists/i.test(outcome.output);
    if (!busy || attempt >= busyAttempts) throw startFailure(context.layout, outcome.output);
    endOrphans(context.layout.data, attempt < busyAttempts / 2 ? 'SIGQUIT' : 'SIGKILL');
    removeStale(context.layout);
    await delay(250);
  }
}

/** A server left by a killed launcher is kept; one that is about to end, or no longer answers, is awaited or ended. */
async function adopt({ layout, password, logger, signal }: LaunchContext): Promise<Launched | undefined> {
  let silentSince: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const found = readPostmaster(layout.data);
    if (found.kind !== 'running') {
      if (found.kind === 'stale') removeStaleFile(layout.data);
      return undefined;
    }
    const answer = found.status === 'ready' ? await probeServer(found.port, password, layout.data) : 'silent';
    if (answer === 'ours') return { process: found.process, port: found.port, adopted: true };
    silentSince ??= performance.now();
    if (performance.now() - silentSince > silentAfterMs && found.status !== 'starting') {
      logger.warn('a PostgreSQL left by an earlier start does not answer and is stopped', { pid: found.process.pid });
      await endProcess(found.process, immediateStop);
      silentSince = undefined;
    }
    await delay(50);
  }
}

type Outcome = { readonly process: ProcessReference } | { readonly output: string };

async function startOnce(context: LaunchContext, port: number): Promise<Outcome> {
  const { layout, logger, signal } = context;
  const logStart = statSync(layout.log, { throwIfNoEntry: false })?.size ?? 0;
  const child = start(context, port);
  const started = performance.now();
  let reported = started;
  for (;;) {
    const found = readPostmaster(layout.data);
    if (found.kind === 'running' && found.process.pid === child.reference?.pid && found.status === 'ready') {
      return { process: found.process };
    }
    if (child.isGone()) {
      return { output: readFileSync(layout.log).subarray(logStart).toString('utf8') };
    }
    if (signal.aborted) {
      if (child.reference !== undefined) await endProcess(child.reference, givenUp);
      signal.throwIfAborted();
    }
    if (performance.now() - reported > 5_000) {
      reported = performance.now();
      logger.info('PostgreSQL is still starting, probably recovering from a crash', { log: layout.log });
    }
    await delay(20);
  }
}

function start({ layout, binaries, runAs, settings }: LaunchContext, port: number): Child {
  const fixed = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
  };
  const flags = Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, args] = runAs.command(binaries.postgres, ['-D', layout.data, ...flags]);
  return spawnServer(program, args, layout.log, { identity: runAs.identity, cwd: '/', env: postgresEnvironment() });
}

function removeStale(layout: PostgresLayout): void {
  const found = readPostmaster(layout.data);
  if (found.kind === 'stale' || (found.kind === 'running' && !isAlive(found.process))) removeStaleFile(layout.data);
}

function startFailure(layout: PostgresLayout, output: string): LauncherError {
  const line =
    output.split('\n').find((candidate) => /\b(FATAL|PANIC):/.test(candidate)) ??
    output.trim().split('\n').at(-1) ??
    '';
  const reason = line.replace(/^.*?\b(FATAL|PANIC):\s*/, '').trim();
  return new LauncherError(
    `PostgreSQL cannot start on ${layout.data}: ${reason === '' ? 'it reported no reason' : reason}.`,
    `Read ${layout.log}; if the folder is damaged, restore it from a copy, or move ${layout.root} away to start with an empty database.`,
  );
}
