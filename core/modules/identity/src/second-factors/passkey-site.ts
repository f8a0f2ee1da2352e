import { isIP } from 'node:net';

/** Where passkeys of the platform are valid (WebAuthn: relying party). */
export interface PasskeySite {
  /** Host name; the id of the relying party. */
  readonly host: string;
  /** Of the pages, with scheme and port. */
  readonly origin: string;
}

/**
 * Passkeys belong to a host name: that of the public address, else `localhost`. It never depends on a request.
 * @returns undefined where browsers offer none: on an address without a name, and over plain http beyond this machine
 */
export function passkeySiteOf(publicUrl: string | undefined, port: number): PasskeySite | undefined {
  const { hostname, origin, protocol } = new URL(publicUrl ?? `http://localhost:${port}`);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined;
  return protocol === 'https:' || isLocal ? { host: hostname, origin } : undefined;
}
