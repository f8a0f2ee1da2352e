import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
export const project = join(import.meta.dirname, '..', '..', '..');

/**
 * An embedded PostgreSQL with the settings that `gantry up` gives it, in a separate folder, which is removed at the end; or in
 * the given one, which is kept.
 */
export async function startDatabase(kept) {
  const { startPostgres } = require('@gantry/launcher');
  const home = kept ?? mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const postgres = await startPostgres({ home });
  return {
    home,
    url: postgres.url,
    /** Milliseconds of processor time so far, of the server and its backends, those that have ended included. */
    cpuMs: () => cpuOfFamily(postgres.pid()),
    async stop() {
      await postgres.stop();
      if (kept === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The host process, without an outer one. */
export async function startHost(database, environment = {}) {
  const startedAt = performance.now();
  const child = fork(require.resolve('@gantry/host/main'), [], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      GANTRY_HOME: database.home,
      GANTRY_PORT: '0',
      LOG_LEVEL: 'error',
      ...environment,
    },
  });
  child.send({ kind: 'start', environment: {}, quarantines: [] });
  const ready = await new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.kind === 'ready') resolve(message);
      if (message.kind === 'fatal') reject(new Error(`${message.message} ${message.remedy}`));
    });
    child.once('exit', (code) => reject(new Error(`The host ended with ${code}`)));
  });
  return {
    address: ready.address,
    report: ready.report,
    types: ready.types,
    readyMs: performance.now() - startedAt,
    ...processOf(child),
  };
}

export async function startHandWritten(database) {
  const child = fork(join(project, 'test/bench/content/hand-written-server.mjs'), [], {
    env: { ...process.env, DATABASE_URL: database.url, NODE_ENV: 'production' },
  });
  const [{ port }] = await once(child, 'message');
  return {
    address: `http://127.0.0.1:${port}`,
    /** @param {'named' | 'unnamed'} kind of its statements */
    async use(kind) {
      child.send({ use: kind });
      await once(child, 'message');
    },
    ...processOf(child),
  };
}

/** Four workers of the SDK without a platform around them. */
export async function startBareServices(database, environment) {
  const startedAt = performance.now();
  const child = fork(join(project, 'test/bench/orders/bare-services.mjs'), [], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, DATABASE_URL: database.url, ...environment },
  });
  const [{ port }] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The bare process ended with ${code}`))),
  ]);
  const address = `http://127.0.0.1:${port}`;
  return { address, readyMs: performance.now() - startedAt, ...processOf(child) };
}

function processOf(child) {
  return {
    pid: child.pid,
    /** Milliseconds of processor time so far, of all its threads; the system counts in hundredths of a second. */
    cpuMs: () => cpuOf(child.pid).own,
    /** Resident memory in megabytes. */
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function cpuOfFamily(parent) {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const found = cpuOf(pid);
      return found?.parent === parent ? [found.own] : [];
    });
  const { own, ended } = cpuOf(parent);
  return children.reduce((sum, ms) => sum + ms, own + ended);
}

/** Milliseconds; the system counts in hundredths of a second. Undefined when the process has ended. */
function cpuOf(pid) {
  try {
    const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
    const [user, system, endedUser, endedSystem] = fields.slice(9, 13);
    return { parent, own: (user + system) * 10, ended: (endedUser + endedSystem) * 10 };
  } catch {
    return undefined;
  }
}
