import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';

/** A socket on which a process accepts connections. */
export interface Listening {
  readonly address: string;
  readonly port: number;
}

/** Where processes listen, by the tables of the kernel. Linux only. */
export function listeningSockets(pids: readonly number[]): readonly Listening[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n'));
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    return state === '0A' && inodes.has(inode) ? [{ address: nameOf(address), port: Number.parseInt(port, 16) }] : [];
  });
}

/** Processes, and all that they have started. */
export function withDescendants(pids: readonly number[]): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const found = new Set(pids);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid, parent] of parents) if (parent !== undefined && found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Bytes for a port, beside the `Host`. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @returns the status of the answer, or `no HTTP` when what answers does not speak HTTP/1.1. */
export function statusOn(
  port: number,
  { method = 'GET', path = '/', headers, body }: RawRequest,
): Promise<number | 'no HTTP'> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false, timeout: 5_000 };
    const sent = request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 'no HTTP');
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer')));
    sent.once('error', () => resolve('no HTTP'));
    sent.end(body);
  });
}

function nameOf(address: string): string {
  return address === '0100007F' ? '127.0.0.1' : address;
}

function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((entry) => socketOf(`/proc/${pid}/fd/${entry}`) ?? []);
  } catch {
    // It has ended in between.
    return [];
  }
}

function socketOf(link: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1];
  } catch {
    return undefined;
  }
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
