import { lookup } from 'node:dns/promises';
import * as net from 'node:net';

/** A socket with an address, on which hosts listen one after the other, and for a moment two at once. */
export interface ListeningSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

/** The handle of Node's cluster; a number is an error code. */
interface SocketHandle {
  readonly fd: number;
  getsockname(out: { port?: number }): number;
  close(): void;
}

type CreateHandle = (address: string, port: number, family: 4 | 6, fd: number) => SocketHandle | number;

/**
 * Opens a socket without accepting connections on it, as Node's cluster does for its workers. Hosts inherit it, so that a
 * connection made while one host takes the place of another (or is started again) waits and is not refused.
 * @returns undefined where that is not possible (Windows, a Node.js without this function): the host then opens its own.
 */
export async function openListeningSocket(host: string, port: number): Promise<ListeningSocket | undefined> {
  const create = (net as unknown as { readonly _createServerHandle?: CreateHandle })._createServerHandle;
  if (process.platform === 'win32' || create === undefined) return undefined;
  const { address, family } = await lookup(host);
  const handle = create(address, port, family === 6 ? 6 : 4, -1);
  if (typeof handle === 'number') return undefined;
  const name: { port?: number } = {};
  // An address in use is reported only here.
  if (handle.getsockname(name) !== 0 || name.port === undefined || handle.fd < 0) {
    handle.close();
    return undefined;
  }
  return { fd: handle.fd, port: name.port, close: () => handle.close() };
}
