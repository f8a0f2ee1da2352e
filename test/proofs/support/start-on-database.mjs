import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { root } from '../../../scripts/lib/run.mjs';

const require = createRequire(import.meta.url);

/** One host process on a database, as the launcher starts it. */
export function startOnDatabase({ home, databaseUrl, plugins }) {
  mkdirSync(home, { recursive: true });
  const child = fork(require.resolve('@gantry/host/main'), [], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      ...{ DATABASE_URL: databaseUrl, GANTRY_HOME: home, GANTRY_PLUGIN_PATH: plugins },
      ...{ GANTRY_PORT: '0', GANTRY_HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit');
  const ready = new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.kind === 'ready') resolve(message);
      if (message.kind === 'fatal') reject(new Error(`A host cannot start: ${message.message} ${message.remedy}`));
    });
    void ended.then(([code, signal]) =>
      reject(new Error(`A host ended with ${signal ?? code}: ${output.slice(-2_000)}`)),
    );
  });
  let failure;
  ready.catch((error) => {
    failure = error;
  });
  child.send({ kind: 'start', environment: {}, quarantines: [] });
  return {
    ready,
    assertNoFailure: () => {
      if (failure !== undefined) throw failure;
    },
    /** Whether a local TCP port is that of one of its connections. */
    usesPort: (port) => socketsOf(child.pid).some((inode) => inodeOfPort(port).includes(inode)),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

function socketsOf(pid) {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

function inodeOfPort(port) {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local, , , , , , , , inode]) => (local?.endsWith(`:${hex}`) ? [inode] : []));
}
