import type { IncomingMessage, ServerResponse } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import { isForwarded } from './exchange/caller/forwarded';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Lets a request in, or throws. */
export type Gate = (request: IncomingMessage, response: ServerResponse) => void;

export interface GateOptions {
  /** Asked for late, as the system may choose it. */
  readonly port: () => number;
  /** Origin at which browsers reach the platform, where that is not this machine. */
  readonly publicUrl?: string | undefined;
  /** Whether the platform is open: then a request that was passed on by a proxy is refused. */
  readonly isOpen: () => boolean;
}

/**
 * The one gate before all routes: a request must name a host that is served, and a write must
 * not come from a page of another site. An open platform serves its own machine only: a tunnel to it would make it public.
 */
export function createGate({ port, publicUrl, isOpen }: GateOptions): Gate {
  let allowed: ReadonlySet<string> | undefined;
  const isSecure = publicUrl?.startsWith('https:') === true;
  return (request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (isSecure) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    // Cacheable responses, such as files of pages, set their own header.
    response.setHeader('Cache-Control', 'private, no-store');
    allowed ??= allowedHosts(port(), publicUrl);
    if (hostCount(request.rawHeaders) > 1) {
      throw new GantryError('BAD_REQUEST', 'The request names more than one host.');
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!allowed.has(host)) {
      throw new GantryError(
        'FORBIDDEN',
        `The host "${truncate(host)}" is not served. Use ${publicUrl ?? `${loopbackNames[0]}:${port()} or localhost:${port()}`}.`,
      );
    }
    if (isOpen() && isForwarded(request) && !isOldProbe(request)) throw forwarded();
    assertOwnTarget(request.url ?? '', allowed);
    if (!safeMethods.has(request.method ?? '')) refuseOtherSites(request, host, publicUrl);
  };
}

/** Node takes the first of several and says nothing. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function allowedHosts(port: number, publicUrl: string | undefined): ReadonlySet<string> {
  const withPort = loopbackNames.map((name) => `${name}:${port}`);
  const own = port === 80 ? [...withPort, ...loopbackNames] : withPort;
  return new Set(publicUrl === undefined ? own : [...own, new URL(publicUrl).host]);
}

/** Load balancers ask for the health with HTTP/1.0, and the answer says nothing else. */
function isOldProbe({ url, headers, httpVersion }: IncomingMessage): boolean {
  return (
    httpVersion === '1.0' && (url === '/livez' || url === '/readyz') && !isForwarded({ headers, httpVersion: '1.1' })
  );
}

function forwarded(): GantryError {
  return new GantryError(
    'FORBIDDEN',
    'The platform is open and serves its own machine only; this request came through a proxy (it has a header that proxies add, or is HTTP/1.0). ' +
      'Switch sign-in on with: gantry users create <email> --role administrator',
  );
}

/**
 * A target may be an absolute URL (RFC 9112, section 3.2.2), which names the host a second time.
 * @throws GantryError FORBIDDEN when that is another host, BAD_REQUEST when it cannot be read
 */
function assertOwnTarget(target: string, allowed: ReadonlySet<string>): void {
  if (target.startsWith('/') || target === '*') return;
  if (!URL.canParse(target)) throw new GantryError('BAD_REQUEST', 'The address of the request cannot be read.');
  const { protocol, host, username, password } = new URL(target);
  if (protocol === 'http:' && allowed.has(host) && username === '' && password === '') return;
  throw new GantryError('FORBIDDEN', `The address "${truncate(target)}" is not served here. Send the path alone.`);
}

/** @param host of the request, one that is served */
function refuseOtherSites(request: IncomingMessage, host: string, publicUrl: string | undefined): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new GantryError('FORBIDDEN', 'A page of another site must not send writes to this platform.');
  }
  const { origin } = request.headers;
  // Scheme, host and port: a page of another name of this machine is another site.
  if (origin !== undefined && origin.toLowerCase() !== originOf(host, publicUrl)) {
    throw new GantryError('FORBIDDEN', `The origin "${truncate(origin)}" must not send writes to this platform.`);
  }
}

/** Behind a proxy that ends TLS, the platform sees http where the browser sees https. */
function originOf(host: string, publicUrl: string | undefined): string {
  return publicUrl !== undefined && new URL(publicUrl).host === host ? publicUrl : new URL(`http://${host}`).origin;
}
