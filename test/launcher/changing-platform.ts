import { execFile, type ChildProcess, type ExecFileException } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { GenerationsReport, PluginChange } from '@gantry/contracts';
import { startGantry, type GantryProcess } from '../e2e/support/gantry-process';
import { createTestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { isRunning } from '../support/is-running';

const project = join(__dirname, '..', '..');

/** A `gantry up` whose plugins change while it runs. */
export interface ChangingPlatform {
  readonly address: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly process: GantryProcess;
  /** Ends its launcher and its hosts with `kill -9`; the database stays. */
  kill(): Promise<void>;
  /** Starts it after its end, at another address, with further words and settings for this start. */
  restart(words?: readonly string[], settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Puts a plugin package of the project into its plugin folder. */
  drop(plugin: string): void;
  send(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly data: unknown }>;
  /** Starts `gantry …` on it. */
  start(words: readonly string[]): ChildProcess;
  /** Runs `gantry …` on it. */
  gantry(
    words: readonly string[],
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** Asks for a change and waits for its end. */
  change(path: string, body?: object): Promise<PluginChange>;
  generations(): Promise<GenerationsReport>;
  close(): Promise<void>;
}

interface ChangingPlatformOptions {
  readonly disabled?: readonly string[];
  readonly databaseUrl?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * @param plugins Folders of plugin packages, relative to the project
 * @param options Ids of plugins that were disabled by command; the database of another platform in place of a fresh one; further
 *   settings
 */
export async function startChangingPlatform(
  plugins: readonly string[],
  { disabled = [], databaseUrl, settings = {} }: ChangingPlatformOptions = {},
): Promise<ChangingPlatform> {
  const folder = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  const dropIn = join(folder, 'plugins');
  mkdirSync(dropIn);
  const drop = (plugin: string): void => symlinkSync(join(project, plugin), join(dropIn, basename(plugin)), 'junction');
  for (const plugin of plugins) drop(plugin);
  const decisions = Object.fromEntries(disabled.map((id) => [id, { enabled: false }]));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home', 'plugins.json'), JSON.stringify({ formatVersion: 1, plugins: decisions }));
  const database = databaseUrl === undefined ? await createTestDatabase() : undefined;
  const environment = {
    DATABASE_URL: databaseUrl ?? database?.url ?? '',
    GANTRY_HOME: join(folder, 'home'),
    GANTRY_PROJECT: folder,
    GANTRY_PLUGIN_PATH: dropIn,
    GANTRY_PORT: '0',
    ...settings,
  };
  let running = startGantry([], environment);
  const close = async (): Promise<void> => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    await database?.drop();
  };
  let address = await running.ready.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const send: ChangingPlatform['send'] = async (method, path, body) => {
    const response = await fetch(`${address}${path}`, {
      method,
      // A generation that ends may close a kept connection while a request is on its way, which fetch does not send again.
      headers: { connection: 'close', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as { readonly data?: unknown; readonly error?: unknown };
    return { status: response.status, data: json.data ?? json.error };
  };
  const generations = async (): Promise<GenerationsReport> =>
    (await send('GET', '/api/platform/generations')).data as GenerationsReport;
  return {
    get address() {
      return address;
    },
    home: environment.GANTRY_HOME,
    environment,
    get process() {
      return running;
    },
    async kill() {
      const pids = pidsOf(environment.GANTRY_HOME);
      // Not one after the other: the launcher would start a host again.
      for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
      await eventually(() => pids.every((pid) => !isRunning(pid)), 'all have ended');
    },
    async restart(words = [], more = {}) {
      running = startGantry(words, { ...environment, ...more });
      address = await running.ready;
    },
    drop,
    send,
    generations,
    start: (words) => runGantry(environment, words, () => undefined),
    gantry: (words) =>
      new Promise((resolve) => {
        runGantry(environment, words, (error, stdout, stderr) => {
          resolve({ code: Number(error?.code ?? 0), stdout, stderr });
        });
      }),
    async change(path, body) {
      const { status, data } = await send('POST', path, body);
      if (status !== 202) throw new Error(`${path} answered ${status} ${JSON.stringify(data)}`);
      const { id } = (data as { readonly change: PluginChange }).change;
      let change: PluginChange | undefined;
      await eventually(async () => {
        change = (await generations()).changes.find((one) => one.id === id);
        return change?.phase === 'done' || change?.phase === 'failed';
      });
      if (change === undefined) throw new Error(`${path} left no change`);
      return change;
    },
    close,
  };
}

function runGantry(
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  onEnd: (error: ExecFileException | null, stdout: string, stderr: string) => void,
): ChildProcess {
  const command = [join(project, 'cli/bin/gantry.js'), ...words];
  return execFile(process.execPath, command, { env: { ...process.env, ...environment } }, onEnd);
}

/** Of its launcher and its hosts, the launcher first. */
function pidsOf(home: string): readonly number[] {
  const run = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8')) as Readonly<
    Record<string, { readonly pid?: number }>
  >;
  return ['launcher', 'host', 'successor'].flatMap((name) => run[name]?.pid ?? []);
}

/** Results of clients with kept connections. */
export interface Traffic {
  readonly answers: number;
  /** Everything but status 200 with a whole body. */
  readonly failures: readonly string[];
}

/** With three clients nearly thirty answers a second: more would take the processor from the hosts that replace each other. */
const readPauseMs = 100;

/** Reads a path again and again on kept connections. @returns a way to end it */
export function keepReading(address: string, path: string, clients = 3): () => Promise<Traffic> {
  let isOn = true;
  let answers = 0;
  const failures: string[] = [];
  const read = (agent: Agent): Promise<void> =>
    new Promise((resolve) => {
      const end = (failure?: string): void => {
        if (failure === undefined) answers += 1;
        else failures.push(failure);
        resolve();
      };
      request(`${address}${path}`, { agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', (error) => end(error.message));
        response.on('end', () =>
          end(response.statusCode === 200 && text.endsWith('}') ? undefined : `${response.statusCode} ${text}`),
        );
      })
        .on('error', (error) => end(error.message))
        .end();
    });
  const running = Array.from({ length: clients }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (isOn) {
      await read(agent);
      // The machine has more to do than to answer.
      await pause(readPauseMs);
    }
    agent.destroy();
  });
  return async () => {
    isOn = false;
    await Promise.all(running);
    return { answers, failures };
  };
}
