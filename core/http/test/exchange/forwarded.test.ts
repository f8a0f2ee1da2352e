import { isForwarded } from '../../src/exchange/caller/forwarded';

const forwarded = (...names: readonly string[]): boolean =>
  isForwarded({ httpVersion: '1.1', headers: Object.fromEntries(names.map((name) => [name.toLowerCase(), 'x'])) });

describe('isForwarded', () => {
  it.each([
    ['any proxy', ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Real-IP', 'X-Real-Port', 'Client-IP', 'Max-Forwards']],
    ['older proxies', ['X-ProxyUser-Ip', 'X-Scheme', 'X-Url-Scheme', 'Front-End-Https', 'X-Host', 'X-Remote-IP']],
    ['caches', ['X-Varnish', 'Surrogate-Capability', 'Proxy-Connection', 'X-Bluecoat-Via']],
    ['Google', ['X-Cloud-Trace-Context', 'X-Appengine-Country', 'X-Appengine-User-IP', 'X-Goog-Iap-Jwt-Assertion']],
    ['Amazon', ['X-Amzn-Trace-Id', 'X-Amzn-Oidc-Data', 'X-Amz-Cf-Id', 'CloudFront-Viewer-Country']],
    [
      'Azure',
      ['X-Azure-FDID', 'X-FD-HealthProbe', 'X-ARR-SSL', 'X-AppGW-Trace-Id', 'Disguised-Host', 'X-Ms-Client-Principal'],
    ],
    ['Cloudflare', ['CF-Ray', 'CF-Connecting-IP', 'CF-IPCountry', 'CDN-Loop', 'True-Client-IP']],
    [
      'other networks',
      ['Fastly-Client-IP', 'Fastly-FF', 'Akamai-Origin-Hop', 'X-Sucuri-ClientIP', 'Incap-Client-IP', 'Ali-Cdn-Real-Ip'],
    ],
    [
      'hosting',
      [
        'Fly-Client-IP',
        'X-NF-Client-Connection-IP',
        'X-Vercel-Id',
        'X-Railway-Edge',
        'X-Request-Start',
        'DO-Connecting-IP',
      ],
    ],
    ['tunnels', ['ngrok-trace-id', 'Tailscale-User-Login', 'X-DevTunnel-Id', 'X-Tunnel-Id']],
    [
      'proxies that sign in',
      ['X-Auth-Request-User', 'X-Authentik-Username', 'Remote-User', 'X-Pomerium-Jwt-Assertion', 'SSL-Client-Cert'],
    ],
    [
      'servers',
      ['X-Envoy-External-Address', 'X-HAProxy-Server', 'X-Traefik-Router', 'X-Nginx-Proxy', 'X-Original-URI'],
    ],
  ])('sees the headers of %s', (_kind, names) => {
    expect(names.filter((name) => !forwarded(name))).toEqual([]);
  });

  it('does not take the headers of browsers and other clients for those of a proxy', () => {
    expect(
      forwarded(
        'Host',
        'Connection',
        'Accept',
        'Accept-Encoding',
        'Accept-Language',
        'Authorization',
        'Cache-Control',
        'Content-Length',
        'Content-Type',
        'Cookie',
        'DNT',
        'If-Match',
        'If-None-Match',
        'If-Range',
        'Idempotency-Key',
        'Last-Event-ID',
        'Origin',
        'Pragma',
        'Priority',
        'Range',
        'Referer',
        'Sec-CH-UA',
        'Sec-Fetch-Site',
        'Sec-GPC',
        'Traceparent',
        'Tracestate',
        'Baggage',
        'X-B3-TraceId',
        'Upgrade-Insecure-Requests',
        'User-Agent',
        'X-Edge-Shopping-Flag',
        'X-Request-Id',
        'X-Requested-With',
      ),
    ).toBe(false);
  });

  it.each(['0.9', '1.0', '2.0'])('takes version %s of HTTP for that of a proxy', (httpVersion) => {
    expect(isForwarded({ httpVersion, headers: {} })).toBe(true);
  });
});
