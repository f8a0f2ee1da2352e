import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { expectAnswer, stepsOfPage } from '../support/page-commands';

const project = join(__dirname, '..', '..');

/** The parts of a clone that the walk touches; what it writes goes into a folder of its own. */
const parts = ['node_modules', 'package.json', 'plugins', 'services', 'cli', 'core', 'contracts'];

describe('the walk in docs/getting-started.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-walk-'));
  const walk = { address: '', platform: undefined as ChildProcess | undefined };

  beforeAll(async () => {
    // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
    chmodSync(folder, 0o755);
    for (const part of parts) symlinkSync(join(project, part), join(folder, part), 'junction');
    walk.address = `http://127.0.0.1:${await freePort()}`;
  });
  afterAll(async () => {
    await stopPlatform(walk.platform);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }, 60_000);

  test.each(stepsOfPage('getting-started.md').map((step) => [step.section, firstLine(step.command), step] as const))(
    '%s: %s',
    async (_section, _line, { command, answer }) => {
      const start = /^(?:(\w+)=(\S+) )?npm start$/.exec(command);
      if (start !== null) {
        await stopPlatform(walk.platform);
        walk.platform = startPlatform(
          folder,
          walk.address,
          start[1] === undefined ? {} : { [start[1]]: start[2] ?? '' },
        );
        await eventually(() => isReady(walk.address, walk.platform), 120_000);
        return;
      }
      const { printed } = await run(command, folder, walk.address);
      if (answer !== undefined) expectAnswer(printed, answer);
    },
    150_000,
  );
});

/** `npm start` after what it installs and builds, which has been done for this very test. */
function startPlatform(folder: string, address: string, environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [join(project, 'cli/bin/gantry.js'), 'up'], {
    cwd: folder,
    env: { ...environmentOf(address), ...environment },
    stdio: 'ignore',
  });
}

async function stopPlatform(platform: ChildProcess | undefined): Promise<void> {
  if (platform === undefined || platform.exitCode !== null || platform.signalCode !== null) return;
  const ended = once(platform, 'exit');
  platform.kill('SIGINT');
  await ended;
}

/** A command as the page has it, in a shell. What it prints comes back whole: the page does not tell the streams apart. */
async function run(command: string, cwd: string, address: string): Promise<{ readonly printed: string }> {
  const words = command.replaceAll('http://127.0.0.1:3000', address);
  const shell = spawn('bash', ['-c', words], { cwd, env: environmentOf(address), stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
  };
  shell.stdout.on('data', keep);
  shell.stderr.on('data', keep);
  await once(shell, 'close');
  return { printed };
}

function environmentOf(address: string): NodeJS.ProcessEnv {
  const { GANTRY_TEST_DATABASE_URL: _database, ...environment } = process.env;
  // Nothing listens there: the walk needs no Temporal, and content works without.
  return {
    ...environment,
    GANTRY_PORT: new URL(address).port,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    npm_config_loglevel: 'error',
  };
}

async function isReady(address: string, platform: ChildProcess | undefined): Promise<boolean> {
  if (platform?.exitCode !== null) throw new Error(`The platform ended by itself, with ${platform?.exitCode}.`);
  const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.status === 200;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function firstLine(command: string): string {
  return command.split('\n', 1)[0] ?? '';
}
