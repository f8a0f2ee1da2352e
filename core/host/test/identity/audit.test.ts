import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { eventually } from '../../../../test/support/eventually';
import { createStderrLogger } from '../../src/common/logger';
import { openIdentity, type OpenedIdentity } from '../../src/composition/open-identity';
import { parseConfig } from '../../src/config';
import type { AuditEntry } from '../../src/identity';

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
    await eventually(async () => sum(await counts('')) >= 200);
    expect((await counts('')).length).toBeLessThanOrEqual(2);
  });
});

function systemScopeUse(subject: string): AuditEntry {
  return { actor: 'plugin:order', action: 'system-scope-used', subject, address: '', detail: { reason: 'Counts' } };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
