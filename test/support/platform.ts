import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostMessage, HostStart, StartupReport } from '@gantry/contracts';
import { findContentTemplate } from './content-template';
import { createTestDatabase, type TestDatabase } from './database';

const project = join(__dirname, '..', '..');

/** A host process of its own, on a fresh database. */
export interface TestHost {
  /** For example `http://127.0.0.1:40123`. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly report: StartupReport;
  /** Everything that the process wrote so far. */
  output(): string;
  /** Ends the process and drops the database that was made for it. @throws when it does not end by itself. */
  stop(): Promise<void>;
}

export interface TestHostOptions {
  /** Folders of plugin packages, relative to the project; the content plugins unless given. */
  readonly plugins?: readonly string[];
  /** Ids of plugins that were disabled by command. */
  readonly disabled?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The program of the process, relative to the project; that of the host unless given. */
  readonly program?: string;
  /** An own database instead of a fresh one. */
  readonly databaseUrl?: string;
}

/** The three plugins with the item types of the specification. */
export const contentPlugins = ['plugins/catalog', 'plugins/articles', 'plugins/events'] as const;

const startTimeoutMs = 120_000;
const stopTimeoutMs = 60_000;

/** Starts the built host as the launcher does, and waits until it is ready. */
export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const home = createHome(options);
  const database = options.databaseUrl === undefined ? await createHostDatabase(options) : undefined;
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const child = fork(join(project, options.program ?? 'core/host/dist/main.js'), [], {
    // As the launcher starts it.
    execArgv: ['--max-semi-space-size=16', '--min-semi-space-size=16', '--initial-old-space-size=128'],
    cwd: project,
    env: { ...process.env, ...environmentOf(home, databaseUrl), ...setOf(home, options), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.send({ kind: 'start', environment: {}, quarantines: [] } satisfies HostStart);
  const output = collectOutput(child);
  const stop = async (): Promise<void> => {
    try {
      await end(child, output);
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      await database?.drop();
    }
  };
  try {
    const { address, report } = await untilReady(child, output);
    const pid = child.pid ?? 0;
    return { address, port: Number(new URL(address).port), pid, databaseUrl, report, output, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** With the tables of the content plugins where it has all of them; the host makes those of its other plugins. */
async function createHostDatabase({ plugins = contentPlugins }: TestHostOptions): Promise<TestDatabase> {
  if (!contentPlugins.every((plugin) => plugins.includes(plugin))) return createTestDatabase();
  const template = await findContentTemplate(async (databaseUrl) => {
    const host = await startTestHost({ databaseUrl });
    await host.stop();
  });
  return createTestDatabase(template === undefined ? {} : { template });
}

/** One host for all tests of a file. */
export function useTestHost(options: TestHostOptions = {}): TestHost {
  let started: TestHost | undefined;
  beforeAll(async () => {
    started = await startTestHost(options);
  });
  afterAll(() => started?.stop());
  const host = (): TestHost => {
    if (started === undefined) throw new Error('The host is only known while tests run.');
    return started;
  };
  return {
    get address() {
      return host().address;
    },
    get port() {
      return host().port;
    },
    get pid() {
      return host().pid;
    },
    get databaseUrl() {
      return host().databaseUrl;
    },
    get report() {
      return host().report;
    },
    output: () => host().output(),
    stop: () => host().stop(),
  };
}

function createHome({ plugins = contentPlugins, disabled = [] }: TestHostOptions): string {
  // By this name the next test run clears away what a killed one has left (global-setup.cjs).
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  const dropIn = join(home, 'plugins');
  mkdirSync(dropIn);
  for (const folder of plugins) symlinkSync(join(project, folder), join(dropIn, basename(folder)), 'junction');
  if (disabled.length > 0) {
    const decisions = Object.fromEntries(disabled.map((id) => [id, { enabled: false }]));
    writeFileSync(join(home, 'plugins.json'), JSON.stringify({ formatVersion: 1, plugins: decisions }));
  }
  return home;
}

/** On a database that may have a plugin set, what is disabled for this host counts in place of that. */
function setOf(home: string, { databaseUrl, disabled = [] }: TestHostOptions): Readonly<Record<string, string>> {
  if (databaseUrl === undefined || disabled.length === 0) return {};
  return { GANTRY_PLUGIN_SET: join(home, 'plugins.json') };
}

function environmentOf(home: string, databaseUrl: string): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: databaseUrl,
    GANTRY_HOME: home,
    GANTRY_HOST: '127.0.0.1',
    GANTRY_PORT: '0',
    GANTRY_PLUGIN_PATH: [join(home, 'plugins')].join(delimiter),
    LOG_LEVEL: 'info',
  };
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  return () => chunks.join('');
}

async function untilReady(child: ChildProcess, output: () => string): Promise<Extract<HostMessage, { kind: 'ready' }>> {
  const timeout = AbortSignal.timeout(startTimeoutMs);
  const ready = new Promise<Extract<HostMessage, { kind: 'ready' }>>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}\n${output().slice(-8000)}`));
    child.on('message', (message: HostMessage) => {
      if (message.kind === 'ready') resolve(message);
      if (message.kind === 'fatal') fail(`The host cannot start: ${message.message}`);
    });
    child.once('exit', (code, signal) => fail(`The host ended before it was ready (${signal ?? code}).`));
    timeout.addEventListener('abort', () => fail('The host was not ready in time.'), { once: true });
  });
  return ready;
}

async function end(child: ChildProcess, output: () => string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const inTime = await Promise.race([ended.then(() => true), delay(stopTimeoutMs, false, { ref: false })]);
  if (inTime) return;
  child.kill('SIGKILL');
  await ended;
  throw new Error(`The host did not end within ${stopTimeoutMs / 1000} s:\n${output().slice(-8000)}`);
}
