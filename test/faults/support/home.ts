import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EmailActivities } from '@gantry/contracts';
import { findRunningPlatform, type RunningPlatform } from '@gantry/launcher/run-file';
import { eventually } from '../../support/eventually';
import { postmasterPid } from '../../support/postmaster-pid';
import { findTemporalCli } from '../../support/temporal-binaries';
import { startPlatform, type Platform, type PlatformProcess } from './platform-process';
import { size } from './size';

const project = join(__dirname, '..', '..', '..');

/**
 * Minutes would make these tests hours: the workflows are the built ones, bundled against a copy of the contracts with
 * these limits (milliseconds). Nothing else differs from the build; test/workflows holds the true limits against the
 * specification.
 */
const timeLimits = {
  emailStartToClose: 5_000,
  paymentStartToClose: 5_000,
  shippingStartToClose: 5_000,
  // Longer than any machine takes: how an order ends must not depend on how long the platform was unavailable.
  paymentWait: 600_000,
  deliverySleep: 3_000,
  confirmationWait: 4_000,
};

/** Orders that are not paid; the tests wait for their end. */
const paymentWaits = { '-unpaid': size.unpaidWaitMs };

/** Exhausted within a quarter of a minute; the policy of the contracts takes a minute and a half. */
const hastyRefunds = {
  refundPayment: { initialInterval: 500, backoffCoefficient: 1.5, maximumInterval: 3_000, maximumAttempts: 8 },
};

export type Server = 'postgres' | 'temporal';

/** A folder with everything that one platform keeps, and the order services whose waits a test can sit out. */
export interface FaultHome {
  /** Starts `gantry up` as a separate process, and waits until it is ready. */
  up(options?: UpOptions): Promise<Platform>;
  /** State that the process that runs the servers publishes about itself. @throws while there is none */
  running(): RunningPlatform;
  /** kill -9 of the host; resolves as soon as another process takes its place. */
  killHost(): Promise<void>;
  /** kill -9 of an embedded server; resolves as soon as another process takes its place. */
  killServer(server: Server): Promise<void>;
  /** kill -9 of the launcher, the host and the servers, all at once. */
  killAll(platform: Platform): Promise<void>;
  /** kill -9 of a process that uses the servers of another one, and of its host. */
  killClient(platform: Platform): Promise<void>;
  /** A plugin path with an older release of the email service, which does not know one of the activities yet. */
  olderEmail(unknownActivity: keyof EmailActivities): string;
  /** Ends what is left, and removes the folder. */
  remove(): Promise<void>;
}

export interface UpOptions {
  /** Ids of the plugins to run; all unless given. */
  readonly only?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface FaultHomeOptions {
  /** Where a test has to wait for refunds that never succeed. */
  readonly hastyRefunds?: boolean;
}

export async function createFaultHome(options: FaultHomeOptions = {}): Promise<FaultHome> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-faults-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
  chmodSync(folder, 0o755);
  const changes = { timeLimits, paymentWaits, activityRetries: options.hastyRefunds === true ? hastyRefunds : {} };
  const script = join(project, 'test', 'support', 'shortened-services.mjs');
  await promisify(execFile)(process.execPath, [script, folder, JSON.stringify(changes)]);
  const home = join(folder, 'home');
  const settings = {
    GANTRY_HOME: home,
    GANTRY_PORT: '0',
    GANTRY_PLUGIN_PATH: join(folder, 'plugins'),
    GANTRY_TEMPORAL_CLI: await findTemporalCli(),
    LOG_LEVEL: 'warn',
  };
  const started = new Set<PlatformProcess>();
  const running = (): RunningPlatform => {
    const found = findRunningPlatform(home);
    if (found === undefined) throw new Error('no platform runs at the moment');
    return found;
  };
  return {
    running,
    killHost: () => killAndReplace(() => running().host?.pid),
    killServer: (server) => killAndReplace(() => serverPid(home, server)),
    async killAll(platform) {
      const pids = [running().host?.pid, serverPid(home, 'postgres'), serverPid(home, 'temporal')];
      const ended = platform.kill();
      for (const pid of pids) if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await ended;
    },
    async killClient(platform) {
      const client = readJson<RunningPlatform>(join(home, 'guests', `${platform.pid}.json`));
      const ended = platform.kill();
      if (client.host !== undefined) process.kill(client.host.pid, 'SIGKILL');
      await ended;
    },
    olderEmail: (unknownActivity) => makeOlderEmail(folder, unknownActivity),
    async up({ only, environment = {} } = {}) {
      const words = ['up', ...(only === undefined ? [] : ['--only', only])];
      const platform = startPlatform(words, { ...settings, ...environment });
      started.add(platform);
      void platform.ended.then(() => started.delete(platform));
      return { ...platform, address: await platform.ready };
    },
    async remove() {
      await Promise.all([...started].map((platform) => platform.stop()));
      endLeftovers(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function killAndReplace(pidNow: () => number | undefined): Promise<void> {
  const pid = pidNow();
  if (pid === undefined) throw new Error('there is nothing to kill');
  process.kill(pid, 'SIGKILL');
  await eventually(() => ![undefined, pid].includes(pidNow()));
}

function serverPid(home: string, server: Server): number | undefined {
  if (server === 'postgres') return postmasterPid(home);
  return readJson<{ readonly process?: { readonly pid: number } }>(join(home, 'temporal/runtime.json')).process?.pid;
}

/** Servers whose launcher was killed by a test that then failed; a stop leaves neither file nor number behind. */
function endLeftovers(home: string): void {
  for (const server of ['postgres', 'temporal'] as const) {
    try {
      const pid = serverPid(home, server);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // The process had ended before.
    }
  }
}

function makeOlderEmail(folder: string, unknownActivity: keyof EmailActivities): string {
  const older = join(folder, `plugins-without-${unknownActivity}`);
  cpSync(join(folder, 'plugins'), older, { recursive: true, verbatimSymlinks: true });
  appendFileSync(
    join(older, 'email', 'dist', 'activities.js'),
    `
     const { createEmailActivities: createAll } = exports;
     exports.createEmailActivities = (parts) => {
       const { ${unknownActivity}: unknown, ...known } = createAll(parts);
       return known;
     };`,
  );
  return older;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
