import type { IncomingMessage } from 'node:http';

/**
 * Headers that proxies, load balancers, content delivery networks and tunnels add, in addition to names that begin as below. Browsers, curl and
 * instrumented clients send none of them: `traceparent`, `x-b3-*` and `x-request-id` are left out for that reason.
 */
const names: ReadonlySet<string> = new Set([
  // Standards, and the address of the client.
  'forwarded',
  'forwarded-for',
  'via',
  'max-forwards',
  'surrogate-capability',
  'client-ip',
  'remote-addr',
  'remote-user',
  'true-client-ip',
  'wl-proxy-client-ip',
  'z-forwarded-for',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-originating-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-remote-user',
  'x-webauth-user',
  // The address that was asked for.
  'disguised-host',
  'front-end-https',
  'x-host',
  'x-https',
  'x-proto',
  'x-scheme',
  'x-ssl',
  'x-url-scheme',
  // Single products.
  'ali-cdn-real-ip',
  'do-connecting-ip',
  'incap-client-ip',
  'ngrok-trace-id',
  'was-default-hostname',
  'x-amz-cf-id',
  'x-appgw-trace-id',
  'x-cloud-trace-context',
  'x-nginx-proxy',
  'x-request-start',
  'x-varnish',
]);
const beginnings = [
  'akamai-',
  'ali-origin-',
  'cdn-',
  'cf-',
  'cloudfront-',
  'fastly-',
  'fly-',
  'proxy-',
  'ssl-client-',
  'tailscale-',
  'x-akamai-',
  'x-amzn-',
  'x-appengine-',
  'x-arr-',
  'x-auth-request-',
  'x-authentik-',
  'x-azure-',
  'x-bluecoat-',
  'x-client-cert',
  'x-devtunnel-',
  'x-envoy-',
  'x-fastly-',
  'x-fd-',
  'x-forwarded',
  'x-google-',
  'x-goog-',
  'x-haproxy-',
  'x-iisnode-',
  'x-ms-client-principal',
  'x-nf-',
  'x-original-',
  'x-pomerium-',
  'x-proxy',
  'x-railway-',
  'x-real-',
  'x-ssl-client-',
  'x-sucuri-',
  'x-traefik-',
  'x-tunnel-',
  'x-vercel-',
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
