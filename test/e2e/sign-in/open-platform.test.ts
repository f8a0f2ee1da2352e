import { execute } from '../../support/database';
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
  ])('refuses a request that a proxy has passed on (%s)', async (name, value) => {
    const answer = await send(host.address, '/api/cms/items/types', { headers: { [name]: value } });

    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
  });

  it('has no users, and says how the first one is created', async () => {
    const body = { kind: 'person', login: 'ann@example.com', roles: ['administrator'] };

    const answer = await sendJson(host.address, 'POST', '/api/platform/users', body);

    expect(answer).toMatchObject({ status: 409, json: { error: { code: 'CONFLICT' } } });
    expect(answer.json.error.message).toContain('gantry users create');
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

    // What was found a moment ago is kept for 4 seconds.
    const until = performance.now() + 15_000;
    while ((await ask('/api/cms/items/types')) === 200 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }

    await expect(ask('/livez')).resolves.toBe(200);
    await expect(ask('/api/platform/session')).resolves.toBe(200);
    await expect(ask('/api/cms/items/types')).resolves.toBeGreaterThanOrEqual(500);
  });
});
