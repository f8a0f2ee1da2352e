import { readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, isAlive, poll, sendSignal } from '@gantry/core-common';
import type { Logger, ProcessReference } from '@gantry/core-common';
import { spawnServer } from '../common/spawn-server';
import { answers } from './probe-server';
import { dataFileOf } from './layout';
import type { TemporalLayout } from './layout';
import type { TemporalProgram } from './program';
import { readRuntime, writeRuntime } from './runtime-file';
import type { TemporalPorts } from './runtime-file';

export interface LaunchContext {
  readonly layout: TemporalLayout;
  readonly ports: TemporalPorts;
  readonly namespace: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Launched {
  readonly process: ProcessReference;
  readonly serverVersion: string;
}

const answerWithinMs = 60_000;
const adoptedAnswersWithinMs = 15_000;

/** Takes over a server that an earlier start left running. @returns undefined when there is none to take over. */
export async function adopt({ layout, namespace, logger, signal }: LaunchContext): Promise<Launched | undefined> {
  const runtime = readRuntime(layout);
  if (runtime?.process === undefined || !isAlive(runtime.process)) return undefined;
  const { process, ports, serverVersion = '' } = runtime;
  // A backup that was ended together with its watchdog may have left it stopped.
  sendSignal(process.pid, 'SIGCONT');
  const look = async (): Promise<'answers' | 'gone' | undefined> => {
    if (await answers(ports.http, namespace)) return 'answers';
    return signal.aborted || !isAlive(process) ? 'gone' : undefined;
  };
  const found = await poll(look, adoptedAnswersWithinMs);
  signal.throwIfAborted();
  if (found === 'answers') return { process, serverVersion };
  if (found === undefined) {
    logger.warn('a Temporal left by an earlier start does not answer and is stopped', { pid: process.pid });
    await endServer(process);
  }
  return undefined;
}

/** @throws Error with the reason that the server gave when it could not start. */
export async function launch(context: LaunchContext, program: TemporalProgram): Promise<Launched> {
  const { layout, ports, namespace, signal } = context;
  const logStart = statSync(layout.log, { throwIfNoEntry: false })?.size ?? 0;
  const args = serverArguments(layout, ports, namespace, program.serverVersion);
  const child = spawnServer(program.file, args, layout.log, { cwd: layout.root, env: serverEnvironment() });
  const process = child.reference;
  if (process === undefined) throw new Error(startFailure(layout, logStart));
  try {
    // At once: should this process be killed now, the next start must find the server.
    writeRuntime(layout, { process, ports, serverVersion: program.serverVersion });
  } catch (error) {
    // A server that no later start would find must not keep running.
    await endServer(process);
    throw error;
  }
  const deadline = performance.now() + answerWithinMs;
  while (!(await answers(ports.http, namespace))) {
    if (!isAlive(process)) throw new Error(startFailure(layout, logStart));
    if (signal.aborted || performance.now() > deadline) {
      await endServer(process);
      signal.throwIfAborted();
      throw new Error(`it did not answer within ${answerWithinMs / 1000} s`);
    }
    await delay(25);
  }
  return { process, serverVersion: program.serverVersion };
}

/** Lets the server finish, which takes it two seconds, and kills it when it does not: its file allows that. */
export async function endServer(process: ProcessReference, timeoutMs = 15_000): Promise<void> {
  const steps = [
    ['SIGTERM', timeoutMs],
    ['SIGKILL', 5_000],
  ] as const;
  await endProcess(process, steps);
}

function serverArguments(
  layout: TemporalLayout,
  { frontend, http, ui }: TemporalPorts,
  namespace: string,
  serverVersion: string,
): string[] {
  const options: Readonly<Record<string, string>> = {
    ip: '127.0.0.1',
    port: String(frontend),
    'http-port': String(http),
    'ui-port': String(ui),
    'ui-ip': '127.0.0.1',
    'db-filename': dataFileOf(layout, serverVersion),
    'log-level': 'warn',
    ...(namespace === 'default' ? {} : { namespace }),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return ['server', 'start-dev', ...flags, '--ui-disable-news-fetch'];
}

/** Settings of a client, such as an address or a profile, are not for the server; nor are ours. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TEMPORAL|GANTRY|DATABASE_URL)/.test(name)),
  );
}

function startFailure(layout: TemporalLayout, logStart: number): string {
  const lines = readFileSync(layout.log).subarray(logStart).toString('utf8').trim().split('\n');
  const line = lines.find((candidate) => /^Error:/i.test(candidate)) ?? lines.at(-1) ?? '';
  return line.replace(/^Error:\s*/i, '').slice(0, 300) || 'it gave no reason';
}
