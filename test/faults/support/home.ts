import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRunningPlatform, type RunningPlatform } from '@gantry/launcher';
import { findTemporalCli } from '../../support/temporal-binaries';
import { eventually } from '../../support/eventually';

const project = join(__dirname, '..', '..', '..');

/**
 * Minutes would make these tests hours: the workflows are the built ones, bundled against a copy of the contracts with
 * these limits (milliseconds). Nothing else differs from the build; test/workflows holds the true limits against the
 * specification.
 */
const shortened = {
  timeLimits: {
    emailStartToClose: 5_000,
    paymentStartToClose: 5_000,
    shippingStartToClose: 5_000,
    paymentWait: 25_000,
    deliverySleep: 3_000,
    confirmationWait: 4_000,
  },
  activityRetries: {
    refundPayment: { initialInterval: 500, backoffCoefficient: 1.5, maximumInterval: 2_000, maximumAttempts: 8 },
  },
};

/** A folder with everything that one platform keeps, and the order services whose waits a test can sit out. */
export interface FaultHome {
  /** Starts `gantry up` as a process of its own, and waits until it is ready. */
  up(options?: UpOptions): Promise<Platform>;
  /** What the process that keeps the servers tells of itself. @throws while there is none */
  running(): RunningPlatform;
  /** Process id of the embedded PostgreSQL or Temporal. */
  serverPid(server: 'postgres' | 'temporal'): number;
  /** Ends what is left, and removes the folder. */
  remove(): Promise<void>;
}

export interface UpOptions {
  /** Ids of the plugins to run; all unless given. */
  readonly only?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One `gantry up`. */
export interface Platform {
  readonly pid: number;
  /** Stays the same when the host is started again. */
  readonly address: string;
  output(): string;
  /** Ctrl-C. @returns the exit code */
  stop(): Promise<number | null>;
  /** kill -9 of the outer process alone. */
  kill(): Promise<void>;
}

export async function createFaultHome(): Promise<FaultHome> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-faults-'));
  chmodSync(folder, 0o755);
  const script = join(project, 'test', 'support', 'shortened-services.mjs');
  await promisify(execFile)(process.execPath, [script, folder, JSON.stringify(shortened)]);
  const home = join(folder, 'home');
  const settings = {
    GANTRY_HOME: home,
    GANTRY_PORT: '0',
    GANTRY_PLUGIN_PATH: join(folder, 'plugins'),
    GANTRY_TEMPORAL_CLI: await findTemporalCli(),
    LOG_LEVEL: 'warn',
  };
  const started = new Set<StartedProcess>();
  const running = (): RunningPlatform => {
    const found = findRunningPlatform(home);
    if (found === undefined) throw new Error('no platform runs at the moment');
    return found;
  };
  return {
    running,
    serverPid: (server) => serverPid(home, server),
    async up({ only, environment = {} } = {}) {
      const words = ['up', ...(only === undefined ? [] : ['--only', only])];
      const platform = startProcess(words, { ...settings, ...environment });
      started.add(platform);
      void platform.ended.then(() => started.delete(platform));
      return { ...platform, address: await platform.ready };
    },
    async remove() {
      await Promise.all([...started].map((platform) => platform.stop()));
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

interface StartedProcess extends Omit<Platform, 'address'> {
  readonly ready: Promise<string>;
  readonly ended: Promise<number | null>;
}

function startProcess(words: readonly string[], environment: Readonly<Record<string, string>>): StartedProcess {
  const child = spawn(process.execPath, [join(project, 'cli', 'bin', 'gantry.js'), ...words], {
    cwd: project,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      hasEnded = true;
      resolve(code);
    });
  });
  const addressOf = (): string | undefined => /^ +Address +(\S+)[\s\S]*^ +Stop /m.exec(output)?.[1];
  const ready = eventually(() => hasEnded || addressOf() !== undefined, 60_000).then(() => {
    const address = addressOf();
    if (address === undefined) throw new Error(`gantry ${words.join(' ')} ended before it was ready:\n${output}`);
    return address;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ready,
    ended,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function serverPid(home: string, server: 'postgres' | 'temporal'): number {
  if (server === 'postgres') {
    return Number(readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
  }
  const runtime = JSON.parse(readFileSync(join(home, 'temporal/runtime.json'), 'utf8')) as {
    readonly process: { readonly pid: number };
  };
  return runtime.process.pid;
}
