import { execute } from '../../support/database';
import { eventually } from '../../support/eventually';
import { openConnection } from '../../support/raw-connection';
import { contentPlugins, useTestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';
import { testAttacks } from './open-platform/attacks';
import { testSlowBodies } from './open-platform/slow-bodies';

// One host from its start, when it is open, until its database is gone.
const host = useTestHost({ plugins: [...contentPlugins, 'plugins/admin-ui'] });
let sessionOfAdministrator = (): string => '';

describe('an open platform', () => {
  it.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', 'for=203.0.113.7'],
    ['via', '1.1 proxy'],
    ['x-real-ip', '203.0.113.7'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['true-client-ip', '203.0.113.7'],
    ['cdn-loop', 'cdn.example'],
    ['x-forwarded', 'for=203.0.113.7'],
    ['cf-ipcountry', 'NZ'],
    ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
  ])('refuses a request that a proxy has passed on (%s)', async (name, value) => {
    const answer = await send(host.address, '/api/cms/items/types', { headers: { [name]: value } });

    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
  });

  // Headers of nginx with nothing but `proxy_pass`: the address of the platform as Host, and no header that names it.
  it.each([
    ['GET', '/api/platform/users', 403],
    ['GET', '/admin/', 403],
    ['POST', '/api/cms/items/article', 403],
    ['GET', '/livez?x=1', 403],
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
  ])('answers %s %s over HTTP/1.0 with %i', async (method, path, status) => {
    const connection = await openConnection(host.port);

    connection.write(`${method} ${path} HTTP/1.0\r\nHost: 127.0.0.1:${host.port}\r\nConnection: close\r\n\r\n`);

    expect(await connection.closed()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it.each(['0.9', '2.0'])('refuses version %s in a request line', async (version) => {
    const connection = await openConnection(host.port);

    connection.write(
      `GET /api/platform/users HTTP/${version}\r\nHost: 127.0.0.1:${host.port}\r\nConnection: close\r\n\r\n`,
    );

    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('lets no header of a proxy pass to its health over HTTP/1.0', async () => {
    const connection = await openConnection(host.port);

    connection.write(`GET /livez HTTP/1.0\r\nHost: 127.0.0.1:${host.port}\r\nVia: 1.0 proxy\r\n\r\n`);

    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('has no accounts to change, and says how sign-in is switched on', async () => {
    const body = { kind: 'person', login: 'ann@example.com', roles: ['administrator'] };

    const answer = await sendJson(host.address, 'POST', '/api/platform/users', body);

    expect(answer).toMatchObject({ status: 409, json: { error: { code: 'CONFLICT' } } });
    expect(answer.json.error.message).toContain('gantry users create');
    // It may have users, from a time with sign-in.
    expect(answer.json.error.message).not.toContain('no users');
  });
});

describe('a request whose body arrives slowly', () => {
  sessionOfAdministrator = testSlowBodies(host);
});

describe('attacks on sign-in', () => testAttacks(host));

describe('a platform with sign-in whose database is unavailable', () => {
  it('serves what is public, and nothing else, to a browser with a session', async () => {
    const ask = async (path: string): Promise<number> =>
      (await send(host.address, path, { headers: { cookie: sessionOfAdministrator() } })).status;
    expect(await ask('/api/cms/items/types')).toBe(200);
    const server = process.env['GANTRY_TEST_DATABASE_URL'] ?? '';
    await execute(server, `DROP DATABASE ${new URL(host.databaseUrl).pathname.slice(1)} WITH (FORCE)`);

    // A session that was read a moment ago is kept for 4 seconds.
    await eventually(async () => (await ask('/api/cms/items/types')) !== 200);

    await expect(ask('/livez')).resolves.toBe(200);
    await expect(ask('/api/platform/session')).resolves.toBe(200);
    await expect(ask('/api/cms/items/types')).resolves.toBeGreaterThanOrEqual(500);
  });
});
