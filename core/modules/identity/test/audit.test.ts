import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { eventually } from '../../../../test/support/eventually';
import { createStderrLogger, openIdentity, type OpenedIdentity, parseConfig } from '@gantry/host';
import type { AuditEntry } from '@gantry/core-http';

describe('the audit log', () => {
  let database: TestDatabase;
  let opened: OpenedIdentity;
  let home: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    home = mkdtempSync(join(tmpdir(), 'gantry-audit-'));
    const config = parseConfig({ DATABASE_URL: database.url, GANTRY_HOME: home });
    opened = await openIdentity(config, createStderrLogger('silent'));
  });
  afterAll(async () => {
    await opened.close();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it('counts the uses of the system scope by plugin and route, however many there are', async () => {
    const routes = ['GET /orders', 'POST /orders'];
    for (let use = 0; use < 2_000; use += 1) {
      for (const subject of routes) void opened.identity.audit.recordSystemScope(systemScopeUse(subject));
    }
    const counts = async (subject: string): Promise<readonly number[]> => {
      const events = await opened.identity.audit.list({ limit: 1_000 });
      return events.filter((event) => event.subject === subject).map(({ count }) => count);
    };
    for (const route of routes) {
      await eventually(async () => sum(await counts(route)) === 2_000);
      // Another one where a minute ended meanwhile.
      expect((await counts(route)).length).toBeLessThanOrEqual(2);
    }
  });

  it('counts the refusals of an address and a login together, and those of too many logins without the login', async () => {
    const refusal = { actor: 'anonymous', action: 'sign-in-refused', address: '10.0.0.1' };
    for (let use = 0; use < 500; use += 1) {
      for (const login of ['ann', 'bob']) {
        void opened.identity.audit.recordRefusal({ ...refusal, subject: `login:${login}` });
      }
    }
    const counts = async (subject: string): Promise<readonly number[]> => {
      const events = await opened.identity.audit.list({ limit: 1_000, action: refusal.action });
      return events.filter((event) => event.subject === subject).map(({ count }) => count);
    };
    for (const subject of ['login:ann', 'login:bob']) {
      await eventually(async () => sum(await counts(subject)) === 500);
      expect((await counts(subject)).length).toBeLessThanOrEqual(2);
    }
    for (let use = 0; use < 1_200; use += 1) {
      void opened.identity.audit.recordRefusal({ ...refusal, subject: `login:made-up-${use}` });
    }
    await eventually(async () => sum(await counts('')) >= 1_150);
    expect((await counts('')).length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['IPv6 addresses of one /56', (n: number) => `2001:db8:7:2${hex(n % 256)}::${n.toString(16)}`, 1],
    ['IPv6 addresses of one /48', (n: number) => `2001:db8:8:${hex(n % 65_536)}::1`, 101],
    ['IPv4 addresses', (n: number) => `198.18.${n % 256}.${n >> 8}`, 101],
  ])('is bounded for refusals of many %s, and leaves other refusals what they are', async (_name, addressOf, max) => {
    const action = `token-refused-${max}-${addressOf(1).slice(0, 12)}`;
    const attempts = 3_000;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const address = addressOf(attempt * (max === 1 ? 1 : 21));
      void opened.identity.audit.recordRefusal({ actor: 'anonymous', action, subject: '', address });
    }
    const other = { actor: 'anonymous', action: `${action}-other`, subject: 'login:eve', address: '10.0.0.2' };
    await opened.identity.audit.recordRefusal(other);

    const events = () => opened.identity.audit.list({ limit: 1_000, action });
    await eventually(async () => sum((await events()).map(({ count }) => count)) === attempts);
    // Twice as many where a minute ended meanwhile.
    expect((await events()).length).toBeLessThanOrEqual(2 * max);
    expect(await opened.identity.audit.list({ limit: 2, action: other.action })).toMatchObject([other]);
  });
});

function systemScopeUse(subject: string): AuditEntry {
  return { actor: 'plugin:order', action: 'system-scope-used', subject, address: '', detail: { reason: 'Counts' } };
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0');
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
