import type { IncomingMessage } from 'node:http';

/** What proxies and tunnels add in which no name begins with `x-forwarded-`. */
const names: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'cf-connecting-ip',
  'cf-ray',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'tailscale-user-login',
]);

/** Whether a proxy has passed the request on. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  for (const name in headers) {
    if (names.has(name) || name.startsWith('x-forwarded-')) return true;
  }
  return false;
}
