import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, isAlive, poll, sendSignal, type Logger, type ProcessReference } from '@gantry/core-common';
import { spawnServer } from '../common/spawn-server';
import { type HttpApi, callNamespace } from './http-api';
import { dataFileOf, type TemporalLayout } from './binaries/layout';
import type { TemporalProgram } from './program';
import { readRuntime, writeRuntime, type TemporalPorts } from './runtime-file';
import { tryPort } from '../common/free-port';

/**
 * Ports that browsers do not connect to (the "bad ports" of the Fetch standard), without those of widespread services. The server
 * cannot run without its metrics, which answer any `Host`: on one of these, no page in a browser reads them.
 */
const refusedByBrowsers = [6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 6566, 3659, 4045, 4190] as const;

/** @returns a free one, or undefined where other programs have all of them. */
async function chooseMetricsPort(): Promise<number | undefined> {
  // Servers that start at the same time do not all choose the same one.
  const first = Math.floor(Math.random() * refusedByBrowsers.length);
  for (const port of [...refusedByBrowsers.slice(first), ...refusedByBrowsers.slice(0, first)]) {
    if ('port' in (await tryPort(port))) return port;
  }
  return undefined;
}

export interface LaunchContext {
  readonly layout: TemporalLayout;
  readonly ports: TemporalPorts;
  readonly namespace: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Launched {
  readonly process: ProcessReference;
  readonly api: HttpApi;
  readonly serverVersion: string;
}

const startTimeoutMs = 60_000;
const adoptTimeoutMs = 15_000;

/** Takes over a server that an earlier start left running. @returns undefined when there is none to take over. */
export async function adopt({ layout, namespace, logger, signal }: LaunchContext): Promise<Launched | undefined> {
  const runtime = readRuntime(layout);
  if (runtime?.process === undefined || !isAlive(runtime.process)) return undefined;
  const { process, ports, httpHost, serverVersion = '' } = runtime;
  // A backup that was ended together with its watchdog may have left it stopped.
  sendSignal(process.pid, 'SIGCONT');
  if (httpHost === undefined) {
    logger.warn('a Temporal of an earlier version is stopped: its HTTP API answers any host', { pid: process.pid });
    await endServer(process);
    return undefined;
  }
  const api = { port: ports.http, host: httpHost };
  const look = async (): Promise<'answers' | 'gone' | undefined> => {
    if (await answers(api, namespace)) return 'answers';
    return signal.aborted || !isAlive(process) ? 'gone' : undefined;
  };
  const found = await poll(look, adoptTimeoutMs);
  signal.throwIfAborted();
  if (found === 'answers') return { process, api, serverVersion };
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
  const api = { port: ports.http, host: `${randomBytes(16).toString('hex')}.invalid` };
  const metricsPort = await chooseMetricsPort();
  const args = serverArguments(context, { api, metricsPort, serverVersion: program.serverVersion });
  const child = spawnServer(program.file, args, layout.log, { cwd: layout.root, env: serverEnvironment() });
  const process = child.reference;
  if (process === undefined) throw new Error(startFailure(layout, logStart));
  try {
    // At once: should this process be killed now, the next start must find the server.
    writeRuntime(layout, { process, ports, httpHost: api.host, serverVersion: program.serverVersion });
  } catch (error) {
    // A server that no later start would find must not keep running.
    await endServer(process);
    throw error;
  }
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(api, namespace))) {
    if (!isAlive(process)) throw new Error(startFailure(layout, logStart));
    if (signal.aborted || performance.now() > deadline) {
      await endServer(process);
      signal.throwIfAborted();
      throw new Error(`it did not answer within ${startTimeoutMs / 1000} s`);
    }
    await delay(25);
  }
  return { process, api, serverVersion: program.serverVersion };
}

/** Lets the server finish, which takes it two seconds, and kills it when it does not: its file allows that. */
export async function endServer(process: ProcessReference, timeoutMs = 15_000): Promise<void> {
  const steps = [
    ['SIGTERM', timeoutMs],
    ['SIGKILL', 5_000],
  ] as const;
  await endProcess(process, steps);
}

interface ServerSettings {
  readonly api: HttpApi;
  readonly metricsPort: number | undefined;
  readonly serverVersion: string;
}

/** Every socket that a browser could reach is off, or answers no `Host` that a page can send (docs/security.md, "Sockets"). */
function serverArguments(
  { layout, ports, namespace }: LaunchContext,
  { api, metricsPort, serverVersion }: ServerSettings,
): string[] {
  const options: Readonly<Record<string, string>> = {
    ip: '127.0.0.1',
    port: String(ports.frontend),
    'http-port': String(api.port),
    'dynamic-config-value': `frontend.httpAllowedHosts=${JSON.stringify([api.host])}`,
    'db-filename': dataFileOf(layout, serverVersion),
    'log-level': 'warn',
    ...(metricsPort === undefined ? {} : { 'metrics-port': String(metricsPort) }),
    ...(namespace === 'default' ? {} : { namespace }),
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return ['server', 'start-dev', ...flags, '--headless'];
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
  return line.replace(/^Error:\s*/i, '').slice(0, 300) || 'it reported no reason';
}

/** @returns whether the server behind this HTTP API answers for the namespace. */
async function answers(api: HttpApi, namespace: string): Promise<boolean> {
  try {
    return (await callNamespace(api, namespace)).status === 200;
  } catch {
    return false;
  }
}
