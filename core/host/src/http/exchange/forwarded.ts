import type { IncomingMessage } from 'node:http';

/** What proxies and tunnels add, beside names that begin as below. */
const names: ReadonlySet<string> = new Set([
  'forwarded',
  'forwarded-for',
  'via',
  'cdn-loop',
  'proxy-connection',
  'x-real-ip',
  'x-real-port',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-nginx-proxy',
  'x-amzn-trace-id',
  'x-nf-client-connection-ip',
  'x-sucuri-clientip',
  'incap-client-ip',
  'do-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
  'x-appengine-user-ip',
]);
const beginnings = [
  'x-forwarded',
  'x-original-',
  'x-envoy-',
  'x-azure-',
  'x-arr-',
  'x-vercel-',
  'cf-',
  'fly-',
  'tailscale-',
];

/**
 * Whether a proxy has passed the request on, as far as that shows. Browsers, curl and Node.js send HTTP/1.1, nginx sends HTTP/1.0
 * unless configured otherwise, and adds no header.
 */
export function isForwarded({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  if (httpVersion !== '1.1') return true;
  for (const name in headers) {
    if (names.has(name) || beginnings.some((beginning) => name.startsWith(beginning))) return true;
  }
  return false;
}
