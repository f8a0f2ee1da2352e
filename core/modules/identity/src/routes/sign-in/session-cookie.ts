import type { IncomingMessage } from 'node:http';

/** The cookies of a browser that is signed in. */
export interface SessionCookies {
  /** Names of the cookies; they depend on the installation and on whether browsers reach it by https. */
  readonly session: string;
  readonly device: string;
  /** Roles as which an administrator sees the pages. */
  readonly viewAs: string;
  /** Of a browser that signs in by an identity provider, until it has done so. */
  readonly provider: string;
  readonly isSecure: boolean;
}

/**
 * Over https, the prefix `__Host-` keeps other hosts of the domain from setting the cookie. Over http on this machine, the name
 * carries the installation, as cookies do not differ by port.
 */
export function createSessionCookies(installationId: string, publicUrl: string | undefined): SessionCookies {
  const isSecure = publicUrl?.startsWith('https:') === true;
  return isSecure
    ? {
        session: '__Host-gantry',
        device: '__Host-gantry-device',
        viewAs: '__Host-gantry-view-as',
        provider: '__Host-gantry-provider',
        isSecure,
      }
    : {
        session: `gantry-${installationId}`,
        device: `gantry-device-${installationId}`,
        viewAs: `gantry-view-as-${installationId}`,
        provider: `gantry-provider-${installationId}`,
        isSecure,
      };
}

const secretPattern = /^[\w-]{43}$/;
const rolesPattern = /^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,19}$/;

/** Roles as which an administrator sees the pages: none where the cookie cannot be read, undefined without such a cookie. */
export function readViewAs(request: WithHeaders, { viewAs }: SessionCookies): readonly string[] | undefined {
  if (!request.headers.cookie?.split('; ').some((part) => part.startsWith(`${viewAs}=`))) return undefined;
  return readCookie(request, viewAs, rolesPattern)?.split('.') ?? [];
}

/** @returns undefined when the request has no such cookie, or several */
export function readCookie(request: WithHeaders, name: string, pattern: RegExp = secretPattern): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  let found: string | undefined;
  for (const part of header.split('; ')) {
    if (!part.startsWith(name) || part[name.length] !== '=') continue;
    if (found !== undefined) return undefined;
    found = part.slice(name.length + 1);
  }
  return found !== undefined && pattern.test(found) ? found : undefined;
}

type WithHeaders = Pick<IncomingMessage, 'headers'>;

/** A cookie as the header field `Set-Cookie` has it. @param maxAgeSeconds 0 removes the cookie */
export function cookieText({ name, value, maxAgeSeconds, isSecure }: CookieToSet): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

export interface CookieToSet {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly isSecure: boolean;
}
