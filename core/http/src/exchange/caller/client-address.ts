import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { addressKey } from '../../ports/address-key';
import type { Principal } from '../../ports/authenticator';
import { findPrincipal } from './principal';

/** Who sends a request to a route of the platform. */
export interface Client {
  /** Undefined without a credential. */
  readonly principal: Principal | undefined;
  readonly address: string;
  /** By which requests without a credential are counted. */
  readonly key: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export function clientOf(request: IncomingMessage): Client {
  const { method = '', url = '', headers } = request;
  return {
    ...{ principal: findPrincipal(request), method, url, headers },
    get address() {
      return clientAddress(request);
    },
    get key() {
      return clientKey(request);
    },
  };
}

/**
 * Network address of the client: that of the connection, or the one that a trusted proxy names. Express finds it out. A port
 * that the proxy adds is removed, and what is no address is not used: otherwise, a client would have a new one for every request.
 */
export function clientAddress(request: IncomingMessage & { readonly ip?: string | undefined }): string {
  const address = withoutPort(request.ip ?? '');
  return isIP(address) === 0 ? (request.socket.remoteAddress ?? '') : address;
}

/** The key of the client where requests without a credential are counted. */
export function clientKey(request: IncomingMessage): string {
  return addressKey(clientAddress(request));
}

/** Of `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`, the address. */
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
