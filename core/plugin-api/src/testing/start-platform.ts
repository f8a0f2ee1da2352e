import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { commandPackage, usualProject } from './find-project';
import { defaultStartTimeout, type PluginTestOptions } from './options';

/** A separate platform, with a separate home folder, started by the `gantry` command. */
export interface RunningPlatform {
  readonly address: string;
  /** The end of what it has written. */
  log(): string;
  /** Asks it to end. @throws when it does not within half a minute, or ends with an error. */
  stop(): Promise<void>;
  /** Ends it by all means and removes its home folder. */
  close(): Promise<void>;
}

/** Milliseconds that a platform may take to drain and end. */
const stopTimeout = 30_000;

/**
 * Starts `gantry up` with the plugins in addition to those of the project, and waits until it is ready.
 * @throws Error with the end of the platform's output when it ends or is not ready in time.
 */
export async function startPlatform(
  pluginFolders: readonly string[],
  options: PluginTestOptions,
): Promise<RunningPlatform> {
  const project = resolve(options.project ?? usualProject());
  const command = options.gantry ?? gantryCommand(project);
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-plugin-test-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
  chmodSync(scratch, 0o755);
  const port = await freePort();
  const child = spawn(process.execPath, [command, 'up', ...(options.args ?? [])], {
    cwd: project,
    env: {
      ...withoutFile(project),
      ...process.env,
      ...environment(project, scratch, port, linkPlugins(scratch, pluginFolders)),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const platform = {
    address: `http://127.0.0.1:${port}`,
    log: output,
    stop: () => stop(child, output),
    async close() {
      await stop(child, output).catch(() => undefined);
      rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  try {
    await untilReady(platform.address, child, output, options.startTimeout ?? defaultStartTimeout);
    return platform;
  } catch (error) {
    await platform.close();
    throw error;
  }
}

/** A folder of the plugin path that contains the plugins and no other files. */
export function linkPlugins(scratch: string, pluginFolders: readonly string[]): string {
  const dropIn = join(scratch, 'plugins');
  mkdirSync(dropIn);
  for (const [index, folder] of pluginFolders.entries()) {
    symlinkSync(folder, join(dropIn, `plugin-${index}`), 'junction');
  }
  return dropIn;
}

function environment(project: string, scratch: string, port: number, dropIn: string): Readonly<Record<string, string>> {
  const own = process.env['GANTRY_PLUGIN_PATH'] ?? ['plugins', 'services'].join(delimiter);
  return {
    GANTRY_HOME: join(scratch, 'home'),
    GANTRY_HOST: '127.0.0.1',
    GANTRY_PORT: String(port),
    GANTRY_PROJECT: project,
    GANTRY_PLUGIN_PATH: [own, dropIn].join(delimiter),
  };
}

/**
 * The command also reads the file `.env` of the project, whose platform has real items and tasks: the test must not get its database. What
 * is empty here counts as not set. Settings of plugins stay.
 */
function withoutFile(project: string): Readonly<Record<string, string>> {
  const names = Object.keys(parseEnv(readIfThere(join(project, '.env'))));
  return Object.fromEntries(
    names
      .filter((name) => /^(DATABASE_URL$|TEMPORAL_|GANTRY_(?!TEMPORAL_CLI$|CACHE$))/.test(name))
      .map((name) => [name, '']),
  );
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function gantryCommand(project: string): string {
  const file = commandPackage(project);
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
  return join(dirname(file), bin['gantry'] ?? 'bin/gantry.js');
}

/** The ports of other parts are theirs to choose; this one is chosen here, so that the address is known before any output. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Characters of output that are kept. */
const maxOutput = 500_000;

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-maxOutput);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => text;
}

async function untilReady(address: string, child: ChildProcess, output: () => string, timeout: number): Promise<void> {
  const deadline = Date.now() + timeout;
  let last = 'no answer';
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`The platform ended before it was ready:\n${lastOf(output)}`);
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (response?.status === 200) return;
    last = response === undefined ? last : `${response.status} ${await response.text()}`;
    await delay(100);
  }
  throw new Error(`The platform was not ready within ${timeout / 1000} s; /readyz: ${last}\n${lastOf(output)}`);
}

async function stop(child: ChildProcess, output: () => string): Promise<void> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const inTime = await Promise.race([ended.then(() => true), delay(stopTimeout, false, { ref: false })]);
    if (!inTime) {
      child.kill('SIGKILL');
      await ended;
      throw new Error(`The platform did not end within ${stopTimeout / 1000} s:\n${lastOf(output)}`);
    }
  }
  const { exitCode, signalCode } = child;
  if (exitCode !== 0) {
    throw new Error(`The platform ended with ${signalCode ?? `exit code ${exitCode}`}:\n${lastOf(output)}`);
  }
}

function lastOf(output: () => string): string {
  return output().slice(-8_000);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
