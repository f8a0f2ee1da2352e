import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';

/** A pooler of connections in front of a database. */
export interface Pooler {
  /** The database by way of the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** ReadyForQuery, outside of a transaction. */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** AuthenticationOk, and ReadyForQuery. */
const welcome = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), idle]);
const terminate = 0x58;

/** A pooler of transactions with one session, which the first client opens. */
export async function startPoolerOfTransactions(databaseUrl: string): Promise<Pooler> {
  const { hostname, port } = new URL(databaseUrl);
  const session = connect(Number(port), hostname);
  let owner: Socket | undefined;
  let isOpened = false;
  const waiting: (() => void)[] = [];
  const send = (client: Socket, chunk: Buffer): void => {
    if (owner !== undefined && owner !== client) return void waiting.push(() => send(client, chunk));
    owner = client;
    session.write(chunk);
  };
  session.on('data', (chunk) => {
    owner?.write(chunk);
    if (!chunk.subarray(-idle.length).equals(idle)) return;
    owner = undefined;
    for (const work of waiting.splice(0)) work();
  });
  const server = createServer((client) => {
    // The session of a client after the first one is there already.
    let isWelcome = !isOpened;
    isOpened = true;
    client.on('error', () => undefined);
    client.on('data', (chunk) => {
      if (!isWelcome) client.write(welcome);
      else if (chunk[0] !== terminate) send(client, chunk);
      isWelcome = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: urlAt(databaseUrl, (server.address() as AddressInfo).port),
    close: async () => {
      session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The real one, as the user `nobody` where the tests run as root. */
export async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-pgbouncer-'));
  const own = await freePort();
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'ignore_startup_parameters = extra_float_digits, options',
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'));
  chmodSync(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgBouncer, [...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const isUp = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(own, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.unref().once('connect', () => socket.destroy());
    });
  await eventually(isUp, 'PgBouncer listens');
  return {
    url: urlAt(databaseUrl, own),
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

const pgBouncer = process.platform === 'linux' ? '/usr/sbin/pgbouncer' : 'pgbouncer';

export function hasPgBouncer(): boolean {
  return spawnSync(pgBouncer, ['--version']).status === 0;
}

function urlAt(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}
