import { resolve } from 'node:path';
import { parseConfig } from '../src/config';

const DATABASE_URL = 'postgres://localhost/shop';

describe('the settings of a host', () => {
  it('are those of the documentation where the environment says nothing, or has an empty text', () => {
    expect(parseConfig({ DATABASE_URL, GANTRY_PORT: '', GANTRY_PLUGIN_PATH: '' })).toEqual({
      allowsPrivateWebhooks: false,
      host: '127.0.0.1',
      port: 3000,
      home: resolve('.gantry'),
      project: resolve('.'),
      pluginPath: [resolve('plugins'), resolve('services')],
      databaseUrl: DATABASE_URL,
      logLevel: 'info',
      bodyLimit: 1024 * 1024,
      importLimit: 1024 * 1024 * 1024,
      importLineLimit: 1024 * 1024,
      trustedProxies: [],
      sessions: { idleMinutes: 480, maxMinutes: 10_080 },
      takesPackages: true,
    });
  });

  it.each([
    ['GANTRY_PORT', '70000', /^GANTRY_PORT .* 0 to 65535 \(found "70000"\)/],
    ['GANTRY_BODY_LIMIT', '5', /^GANTRY_BODY_LIMIT .* 1024 \(found "5"\)/],
    ['GANTRY_IMPORT_LINE_LIMIT', '16777217', /^GANTRY_IMPORT_LINE_LIMIT .* 1024 to 16777216 \(found "16777217"\)/],
    ['GANTRY_IMPORT_LIMIT', '1 GB', /^GANTRY_IMPORT_LIMIT .* 1024 \(found "1 GB"\)/],
    ['GANTRY_DATABASE_CONNECTIONS', '3', /^GANTRY_DATABASE_CONNECTIONS .* 5 to 52 \(found "3"\)/],
    ['GANTRY_HOST', 'example.com', /^GANTRY_HOST .* IP address/],
    ['GANTRY_HOST', '0.0.0.0', /^GANTRY_HOST .* 127\.0\.0\.1, localhost, ::1: .*GANTRY_PUBLIC_URL/],
    ['GANTRY_PUBLIC_URL', 'cms.example.com', /^GANTRY_PUBLIC_URL .* address /],
    ['GANTRY_PUBLIC_URL', 'https://example.com/cms', /^GANTRY_PUBLIC_URL .* address /],
    ['GANTRY_TRUSTED_PROXIES', '10.0.0.0/40', /^GANTRY_TRUSTED_PROXIES .* networks/],
    ['GANTRY_TRUSTED_PROXIES', 'loopback', /^GANTRY_TRUSTED_PROXIES .* networks/],
    ['GANTRY_SESSION_IDLE_MINUTES', '0', /^GANTRY_SESSION_IDLE_MINUTES .* from 1 to/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL .* trace, debug, info, warn, error, silent \(found "loud"\)/],
    ['DATABASE_URL', 'mysql://user:secret@host/shop', /^DATABASE_URL .* postgres:\/\/ or postgresql:\/\//],
  ])('say what %s must be when it is %s', (name, value, named) => {
    expect(() => parseConfig({ DATABASE_URL, [name]: value })).toThrow(named);
  });

  it('let webhooks go to private addresses only where the environment says so', () => {
    const parsed = (value: string) => parseConfig({ DATABASE_URL, GANTRY_WEBHOOK_PRIVATE_ADDRESSES: value });

    expect(parsed('allow').allowsPrivateWebhooks).toBe(true);
    expect(() => parsed('1')).toThrow(/^GANTRY_WEBHOOK_PRIVATE_ADDRESSES .* allow, .* refuse \(found "1"\)/);
  });

  it('are all named that are wrong, and none of them with a password', () => {
    const wrong = { DATABASE_URL: 'mysql://user:secret@host/shop', GANTRY_HOST: 'here', GANTRY_PORT: 'many' };

    const refused = expect(() => parseConfig(wrong));
    refused.toThrow(/GANTRY_HOST .*localhost .*; GANTRY_PORT .*; DATABASE_URL/);
    refused.not.toThrow(/secret/);
  });
});
