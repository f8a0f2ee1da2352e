import { codeOf, messageOf } from '@gantry/core-common';
import type { IndexSettings } from './index-settings';

/** A reason that names what a server did and what to do; a sentence that begins with the address. */
export class Refusal extends Error {}

/** An address for messages, without user, password and parameters. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

export interface FailureContext {
  readonly settings: Pick<IndexSettings, 'proxy' | 'trustedHostSource'>;
  readonly bytes: number;
  readonly total: number | undefined;
}

/** @returns what follows the address in a message: why nothing came from there, and what to do */
export function explainFailure(error: unknown, { settings, bytes, total }: FailureContext): string {
  if (error instanceof Refusal) return error.message;
  const code = codeOf(error) ?? '';
  const proxyStatus = /Proxy response \((\d+)\)/.exec(messageOf(error))?.[1];
  if (proxyStatus !== undefined) return explainProxy(proxyStatus, settings);
  if (certificateCodes.has(code)) return explainCertificate(code, settings);
  if (connectionCodes.has(code)) {
    const { proxy } = settings;
    const way = proxy === undefined ? '' : ` through the proxy of ${proxy.source}`;
    const remedy =
      proxy === undefined ? 'check the network, or name a proxy in HTTPS_PROXY' : `correct ${proxy.source}`;
    return `cannot be reached${way} (${code}); ${remedy}`;
  }
  if (error instanceof Error && error.name === 'TimeoutError') return 'took too long; try again';
  if (bytes > 0 || endCodes.has(code)) {
    const whole = total === undefined ? '' : ` of ${total}`;
    return `ended the connection after ${bytes}${whole} bytes; try again`;
  }
  return `cannot be read (${messageOf(error)})`;
}

function explainProxy(status: string, { proxy }: FailureContext['settings']): string {
  const source = proxy?.source ?? 'HTTPS_PROXY';
  const remedy =
    status === '407' ? `put its user and password into ${source}` : `correct ${source}, or name the host in NO_PROXY`;
  return `cannot be reached, because the proxy of ${source} answered ${status}; ${remedy}`;
}

function explainCertificate(code: string, { trustedHostSource }: FailureContext['settings']): string {
  const trusted = trustedHostSource === undefined ? '' : `; trusted-host of ${trustedHostSource} is not followed`;
  return `has a certificate that is not trusted (${code})${trusted}; name a file with that of its authority in PIP_CERT`;
}

export function explainStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `answered ${status}; put a user and a password into the address of the index or into .netrc`;
    case 404:
    case 410:
      return `answered ${status}; name an index with this package in PIP_INDEX_URL`;
    default:
      return `answered ${status}; try again later`;
  }
}

const certificateCodes: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UND_ERR_PRX_TLS',
]);

const connectionCodes: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const endCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
