import type { IncomingMessage, ServerResponse } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Lets a request in, or throws. */
export type Gate = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The one gate before all routes (decisions, "Who may ask"): the platform is open on loopback only, so a request must
 * name a loopback host with our port, and a write must not come from a page of another site.
 * `port` is asked for late, as the system may choose it.
 */
export function createGate(port: () => number): Gate {
  let allowed: ReadonlySet<string> | undefined;
  return (request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Cacheable responses, such as files of pages, set their own header.
    response.setHeader('Cache-Control', 'private, no-store');
    allowed ??= allowedHosts(port());
    if (hostCount(request.rawHeaders) > 1) {
      throw new GantryError('BAD_REQUEST', 'The request names more than one host.');
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    if (!allowed.has(host)) {
      throw new GantryError(
        'FORBIDDEN',
        `The host "${truncate(host)}" is not served. Use ${loopbackNames[0]}:${port()} or localhost:${port()}.`,
      );
    }
    assertOwnTarget(request.url ?? '', allowed);
    if (!safeMethods.has(request.method ?? '')) refuseOtherSites(request, host);
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

function allowedHosts(port: number): ReadonlySet<string> {
  const withPort = loopbackNames.map((name) => `${name}:${port}`);
  return new Set(port === 80 ? [...withPort, ...loopbackNames] : withPort);
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
function refuseOtherSites(request: IncomingMessage, host: string): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new GantryError('FORBIDDEN', 'A page of another site must not send writes to this platform.');
  }
  const { origin } = request.headers;
  // Scheme, host and port: a page of another name of this machine is another site.
  if (origin !== undefined && origin.toLowerCase() !== new URL(`http://${host}`).origin) {
    throw new GantryError('FORBIDDEN', `The origin "${truncate(origin)}" must not send writes to this platform.`);
  }
}
